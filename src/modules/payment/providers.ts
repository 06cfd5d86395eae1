import type { Config, PaymentProviderSlug } from '../../platform/config.ts';
import type { PaymentProvider, ProviderHealth } from './provider.ts';
import { notchpay } from './providers/notchpay.ts';
import type { ProviderSurroundings } from './providers/provider-http.ts';
import { zitopay } from './providers/zitopay.ts';

/** The providers that the settings name. */
export interface PaymentProviders {
  get(slug: string): PaymentProvider | undefined;
  /** The one that a payment starts with when none is named. */
  readonly default: PaymentProvider;
  /** What a learner may choose between, the default first. */
  list(): { slug: string; label: string }[];
  /** For the content security policy: `widget` runs scripts and frames on our pages, `checkout` is where forms and browsers may be sent. */
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

/** The chosen ones, in the settings' order; each stands in these surroundings. */
export function paymentProviders(
  config: Pick<Config, 'payments' | 'zitopay' | 'notchpay'>,
  surroundings: Partial<Pick<ProviderSurroundings, 'clock' | 'log' | 'onStateChange'>> = {},
): PaymentProviders {
  const { providers, failuresBeforePause, pauseMs } = config.payments;
  const [first, ...others] = providers;
  const adapt = (slug: PaymentProviderSlug) => adapters[slug](config, { ...surroundings, failuresBeforePause, pauseMs });
  return providersOf([adapt(first), ...others.map(adapt)]);
}

/** A registry of these providers; the first is the default. */
export function providersOf(providers: readonly [PaymentProvider, ...PaymentProvider[]]): PaymentProviders {
  const bySlug = new Map(providers.map((provider) => [provider.slug, provider]));
  const originsOf = (some: readonly PaymentProvider[]) => [...new Set(some.flatMap((provider) => provider.browserOrigins))];
  return {
    get: (slug) => bySlug.get(slug),
    default: providers[0],
    list: () => providers.map(({ slug, label }) => ({ slug, label })),
    browserOrigins: () => ({
      widget: originsOf(providers.filter((provider) => provider.widgetScript !== null)),
      checkout: originsOf(providers),
    }),
    health: () => providers.map((provider) => provider.health()),
  };
}
