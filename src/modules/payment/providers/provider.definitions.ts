import { z } from 'zod';
import type { ModuleSettings } from '../../../platform/settings/config.ts';
import { namesIn, whole } from '../../../platform/settings/variables.ts';
import type { ProviderDefinition } from '../contract/provider.definition.ts';
import { notchpay } from './notchpay/definition.ts';
import { zitopay } from './zitopay/definition.ts';

/** All providers by slug: their name in settings, addresses and rows. */
const definitions = { zitopay, notchpay };
/** The provider chosen when PAYMENT_PROVIDERS is not set. */
const defaultProvider = 'zitopay';

export type PaymentProviderSlug = keyof typeof definitions;
type ProviderSettings = { [Slug in PaymentProviderSlug]: z.output<(typeof definitions)[Slug]['settings']> };
export const providerDefinitions: { readonly [Slug in PaymentProviderSlug]: ProviderDefinition<ProviderSettings[Slug]> } = definitions;

const isSlug = (slug: string): slug is PaymentProviderSlug => Object.hasOwn(definitions, slug);
export const providerSlugs: readonly PaymentProviderSlug[] = Object.keys(definitions).filter(isSlug);

/** Returns a provider's name for support pages and the command line. */
export const providerName = (slug: string): string => (isSlug(slug) ? definitions[slug].name : slug);

/** Query fields in which any provider, chosen or not, returns a reference through the browser. */
export const returnFields: readonly string[] = [...new Set(providerSlugs.flatMap((slug) => definitions[slug].returnFields))];

const listed = (value: string) => value.split(',').map((part) => part.trim());
const isChoice = (slugs: string[]): slugs is [PaymentProviderSlug, ...PaymentProviderSlug[]] =>
  slugs.length > 0 && new Set(slugs).size === slugs.length && slugs.every(isSlug);
const several = providerSlugs.length === 2 ? 'les deux' : 'plusieurs';

/** Restores the type that `Object.fromEntries` loses: each slug has the settings of its own definition. */
const isOfEach = (settings: Record<string, ProviderSettings[PaymentProviderSlug]>): settings is ProviderSettings =>
  providerSlugs.every((slug) => slug in settings);

const settingsSchema = z
  .object({
    PAYMENT_PROVIDERS: z
      .string()
      .default(defaultProvider)
      .transform(listed)
      .refine(isChoice, { error: `doit nommer ${providerSlugs.join(', ')} ou ${several}, une fois chacun, séparés par une virgule` }),
    PAYMENT_PROVIDER_FAILURES: whole(10, 1, 1_000),
    PAYMENT_PROVIDER_PAUSE_MS: whole(30_000, 0, 600_000),
    ofProviders: z.object(Object.fromEntries(providerSlugs.map((slug) => [slug, definitions[slug].settings]))).refine(isOfEach),
  })
  .transform((env) => ({
    payments: {
      /** Slugs of the chosen providers; the first is the default. */
      providers: env.PAYMENT_PROVIDERS,
      /** Consecutive failed calls after which a provider is paused; `pauseMs` is the length of the pause. */
      failuresBeforePause: env.PAYMENT_PROVIDER_FAILURES,
      pauseMs: env.PAYMENT_PROVIDER_PAUSE_MS,
    },
    ...env.ofProviders,
  }));
export type PaymentSettings = z.output<typeof settingsSchema>;

/** The choice of providers, and each provider's own settings. */
export const paymentSettings: ModuleSettings<PaymentSettings> = {
  names: () => [settingsSchema, ...providerSlugs.map((slug) => definitions[slug].settings)].flatMap(namesIn),
  secrets: providerSlugs.flatMap((slug) => definitions[slug].secrets),
  // Each provider's schema picks its own variables out of all of them.
  schema: z.preprocess(
    (variables: object) => ({ ...variables, ofProviders: Object.fromEntries(providerSlugs.map((slug) => [slug, variables])) }),
    settingsSchema,
  ),
  productionRules(variables) {
    const chosen = listed(variables.PAYMENT_PROVIDERS ?? defaultProvider);
    return providerSlugs.map((slug) => {
      const { required, ...rules } = definitions[slug].production;
      return { ...rules, required: chosen.includes(slug) ? required : [], when: `avec ${slug}` };
    });
  },
};
