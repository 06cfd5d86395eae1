import type { PaymentProvider } from '../contract/provider.ts';
import type { ProviderSurroundings } from '../contract/provider-http.ts';
import { type PaymentProviderSlug, type PaymentSettings, providerDefinitions, providerSlugs } from './provider.definitions.ts';

/** Creates the chosen providers in the settings' order, then every other one whose settings are complete, all with these surroundings. */
export function paymentProviders(
  settings: PaymentSettings,
  surroundings: Partial<Pick<ProviderSurroundings, 'clock' | 'log' | 'onStateChange'>> = {},
): PaymentProviders {
  const { providers, failuresBeforePause, pauseMs } = settings.payments;
  const [first, ...others] = providers;
  const adapt = <Slug extends PaymentProviderSlug>(slug: Slug) =>
    providerDefinitions[slug].adapter(settings[slug], { ...surroundings, failuresBeforePause, pauseMs });
  const isComplete = <Slug extends PaymentProviderSlug>(slug: Slug) => providerDefinitions[slug].isComplete(settings[slug]);
  const retired = providerSlugs.filter((slug) => !providers.includes(slug) && isComplete(slug));
  return providersOf([adapt(first), ...others.map(adapt)], retired.map(adapt));
}

/**
 * Creates a registry; the first provider is the default. @param retired providers that are asked about their payments, but get no new
 * ones
 */
export function providersOf(providers: readonly [PaymentProvider, ...PaymentProvider[]], retired: readonly PaymentProvider[] = []) {
  const all = [...providers, ...retired];
  const bySlug = new Map(all.map((provider) => [provider.slug, provider]));
  const originsOf = (some: readonly PaymentProvider[]) => [...new Set(some.flatMap((provider) => provider.browserOrigins))];
  return {
    /** Returns a provider, also one that is no longer chosen: its earlier payments must still be verified. */
    get: (slug: string): PaymentProvider | undefined => bySlug.get(slug),
    /** The provider of a payment when none is named. */
    default: providers[0],
    /** Returns the providers for new payments, the default first. */
    list: (): readonly PaymentProvider[] => providers,
    /**
     * Returns the chosen providers' origins for the content security policy. `widget` runs scripts and frames on our pages; forms and
     * browsers may be sent to `checkout`.
     */
    browserOrigins: () => ({
      widget: originsOf(providers.filter((provider) => provider.widgetScript !== null)),
      checkout: originsOf(providers),
    }),
    /** Returns each provider's recent availability, as seen by this process. */
    health: () => all.map((provider) => provider.health()),
  };
}

/** The providers that this process can ask: the chosen ones, and those that may still have open payments. */
export type PaymentProviders = ReturnType<typeof providersOf>;
