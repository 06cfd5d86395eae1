import { z } from 'zod';
import type { ModuleSettings } from '../../../platform/settings/config.ts';
import { whole } from '../../../platform/settings/variables.ts';
import {
  defaultProvider,
  isProviderSlug,
  type PaymentProviderSlug,
  type PaymentSettings,
  type ProviderSettings,
  providerDefinitions,
  providerSlugs,
} from './provider.registry.ts';

const listed = (value: string) => value.split(',').map((part) => part.trim());

const isChoice = (slugs: string[]): slugs is [PaymentProviderSlug, ...PaymentProviderSlug[]] =>
  slugs.length > 0 && new Set(slugs).size === slugs.length && slugs.every(isProviderSlug);
const several = providerSlugs.length === 2 ? 'les deux' : 'plusieurs';

/** Which slug has which settings is known to the definitions, and lost on the way through `Object.fromEntries`. */
const isOfEach = (settings: Record<string, ProviderSettings[PaymentProviderSlug]>): settings is ProviderSettings =>
  providerSlugs.every((slug) => slug in settings);

const schema = z
  .object({
    PAYMENT_PROVIDERS: z
      .string()
      .default(defaultProvider)
      .transform(listed)
      .refine(isChoice, { error: `doit nommer ${providerSlugs.join(', ')} ou ${several}, une fois chacun, séparés par une virgule` }),
    PAYMENT_PROVIDER_FAILURES: whole(10, 1, 1_000),
    PAYMENT_PROVIDER_PAUSE_MS: whole(30_000, 0, 600_000),
    ofProviders: z.object(Object.fromEntries(providerSlugs.map((slug) => [slug, providerDefinitions[slug].settings]))).refine(isOfEach),
  })
  .transform(
    (env): PaymentSettings => ({
      payments: {
        providers: env.PAYMENT_PROVIDERS,
        failuresBeforePause: env.PAYMENT_PROVIDER_FAILURES,
        pauseMs: env.PAYMENT_PROVIDER_PAUSE_MS,
      },
      ...env.ofProviders,
    }),
  );

/** The choice of providers, and each provider's own settings. */
export const paymentSettings: ModuleSettings<PaymentSettings> = {
  // Each provider picks its own variables out of all of them.
  schema: z.preprocess(
    (variables: object) => ({ ...variables, ofProviders: Object.fromEntries(providerSlugs.map((slug) => [slug, variables])) }),
    schema,
  ),
  productionRules(variables) {
    const chosen = listed(variables.PAYMENT_PROVIDERS ?? defaultProvider);
    const rules = providerSlugs.map((slug) => ({ slug, ...providerDefinitions[slug].production }));
    return {
      required: rules
        .filter(({ slug }) => chosen.includes(slug))
        .flatMap(({ slug, required }) => required.map((name) => ({ name, where: `en production avec ${slug}` }))),
      addresses: rules.flatMap(({ addresses }) => addresses),
      published: Object.fromEntries(rules.flatMap(({ published }) => Object.entries(published))),
    };
  },
};
