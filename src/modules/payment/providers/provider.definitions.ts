import { z } from 'zod';
import type { ModuleSettings } from '../../../platform/settings/config.ts';
import { namesIn, whole } from '../../../platform/settings/variables.ts';
import type { ProviderDefinition } from '../contract/provider.definition.ts';
import { notchpay } from './notchpay/definition.ts';
import { zitopay } from './zitopay/definition.ts';

/** Every provider that there is, by its slug: its name in settings, addresses and rows. */
const definitions = { zitopay, notchpay };
/** What the settings choose without PAYMENT_PROVIDERS. */
const defaultProvider = 'zitopay';

export type PaymentProviderSlug = keyof typeof definitions;
type ProviderSettings = { [Slug in PaymentProviderSlug]: z.output<(typeof definitions)[Slug]['settings']> };
export const providerDefinitions: { readonly [Slug in PaymentProviderSlug]: ProviderDefinition<ProviderSettings[Slug]> } = definitions;

const isSlug = (slug: string): slug is PaymentProviderSlug => Object.hasOwn(definitions, slug);
export const providerSlugs: readonly PaymentProviderSlug[] = Object.keys(definitions).filter(isSlug);

/** As support and the terminal read it. */
export const providerName = (slug: string): string => (isSlug(slug) ? definitions[slug].name : slug);

/** The fields in which any of them, chosen or not, gives a reference back to the browser. */
export const returnFields: readonly string[] = [...new Set(providerSlugs.flatMap((slug) => definitions[slug].returnFields))];

const listed = (value: string) => value.split(',').map((part) => part.trim());
const isChoice = (slugs: string[]): slugs is [PaymentProviderSlug, ...PaymentProviderSlug[]] =>
  slugs.length > 0 && new Set(slugs).size === slugs.length && slugs.every(isSlug);
const several = providerSlugs.length === 2 ? 'les deux' : 'plusieurs';

/** Which slug has which settings is known to the definitions, and lost on the way through `Object.fromEntries`. */
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
      /** Chosen providers; the first is the default. */
      providers: env.PAYMENT_PROVIDERS,
      /** Calls in a row that fail before a provider is left alone, and for how long. */
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
  // Each provider picks its own variables out of all of them.
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
