import type { PaymentProvider } from '../contract/provider.ts';
import type { ProviderSurroundings } from '../contract/provider-http.ts';
import { type PaymentProviderSlug, type PaymentSettings, providerDefinitions, providerSlugs } from './provider.definitions.ts';

/** The chosen ones in the settings' order, then every other one whose settings are complete; each stands in these surroundings. */
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

/** A registry of these providers; the first is the default. @param retired asked about their payments, and never chosen for a new one */
export function providersOf(providers: readonly [PaymentProvider, ...PaymentProvider[]], retired: readonly PaymentProvider[] = []) {
  const all = [...providers, ...retired];
  const bySlug = new Map(all.map((provider) => [provider.slug, provider]));
  const originsOf = (some: readonly PaymentProvider[]) => [...new Set(some.flatMap((provider) => provider.browserOrigins))];
  return {
    /** Also one that is no longer chosen: whoever has paid through it must still be found out. */
    get: (slug: string): PaymentProvider | undefined => bySlug.get(slug),
    /** The one that a payment starts with when none is named. */
    default: providers[0],
    /** What a learner may choose between, and a payment may start with; the default first. */
    list: (): readonly PaymentProvider[] => providers,
    /** Of the chosen ones, for the content security policy: `widget` runs scripts and frames on our pages, `checkout` is where forms and browsers may be sent. */
    browserOrigins: () => ({
      widget: originsOf(providers.filter((provider) => provider.widgetScript !== null)),
      checkout: originsOf(providers),
    }),
    /** How each has answered lately, in this process. */
    health: () => all.map((provider) => provider.health()),
  };
}

/** The providers that this process can ask: those that the settings choose, and those whose payments may still be under way. */
export type PaymentProviders = ReturnType<typeof providersOf>;
