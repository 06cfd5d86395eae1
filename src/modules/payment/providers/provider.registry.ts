import type { Config, PaymentProviderSlug } from '../../../platform/settings/config.ts';
import type { PaymentProvider, ProviderHealth } from '../contract/provider.ts';
import type { ProviderSurroundings } from '../contract/provider-http.ts';
import { notchpay } from './notchpay/adapter.ts';
import { zitopay } from './zitopay/adapter.ts';

/** The providers that this process can ask: those that the settings choose, and those whose payments may still be under way. */
export interface PaymentProviders {
  /** Also one that is no longer chosen: whoever has paid through it must still be found out. */
  get(slug: string): PaymentProvider | undefined;
  /** The one that a payment starts with when none is named; the first of those chosen. */
  readonly default: PaymentProvider;
  /** What a learner may choose between, and a payment may start with; the default first. */
  list(): { slug: string; label: string }[];
  /** Of the chosen ones, for the content security policy: `widget` runs scripts and frames on our pages, `checkout` is where forms and browsers may be sent. */
  browserOrigins(): { widget: string[]; checkout: string[] };
  /** How each has answered lately, in this process. */
  health(): ProviderHealth[];
}

const adapters = {
  zitopay: (config, surroundings) => zitopay(config.zitopay, surroundings),
  notchpay: (config, surroundings) => notchpay(config.notchpay, surroundings),
} satisfies Record<
  PaymentProviderSlug,
  (config: Pick<Config, 'zitopay' | 'notchpay'>, surroundings: Partial<ProviderSurroundings>) => PaymentProvider
>;

/** What an adapter cannot ask anything without. */
const isComplete: Record<PaymentProviderSlug, (config: Pick<Config, 'zitopay' | 'notchpay'>) => boolean> = {
  zitopay: ({ zitopay: { receiver } }) => receiver !== '',
  notchpay: ({ notchpay: { publicKey } }) => publicKey !== null,
};

/** The chosen ones in the settings' order, then every other one whose settings are complete; each stands in these surroundings. */
export function paymentProviders(
  config: Pick<Config, 'payments' | 'zitopay' | 'notchpay'>,
  surroundings: Partial<Pick<ProviderSurroundings, 'clock' | 'log' | 'onStateChange'>> = {},
): PaymentProviders {
  const { providers, failuresBeforePause, pauseMs } = config.payments;
  const [first, ...others] = providers;
  const adapt = (slug: PaymentProviderSlug) => adapters[slug](config, { ...surroundings, failuresBeforePause, pauseMs });
  const slugs = Object.keys(adapters) as PaymentProviderSlug[];
  const retired = slugs.filter((slug) => !providers.includes(slug) && isComplete[slug](config));
  return providersOf([adapt(first), ...others.map(adapt)], retired.map(adapt));
}

/** A registry of these providers; the first is the default. @param retired asked about their payments, and never chosen for a new one */
export function providersOf(
  providers: readonly [PaymentProvider, ...PaymentProvider[]],
  retired: readonly PaymentProvider[] = [],
): PaymentProviders {
  const all = [...providers, ...retired];
  const bySlug = new Map(all.map((provider) => [provider.slug, provider]));
  const originsOf = (some: readonly PaymentProvider[]) => [...new Set(some.flatMap((provider) => provider.browserOrigins))];
  return {
    get: (slug) => bySlug.get(slug),
    default: providers[0],
    list: () => providers.map(({ slug, label }) => ({ slug, label })),
    browserOrigins: () => ({
      widget: originsOf(providers.filter((provider) => provider.widgetScript !== null)),
      checkout: originsOf(providers),
    }),
    health: () => all.map((provider) => provider.health()),
  };
}
