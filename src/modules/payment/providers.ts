import type { Config } from '../../platform/config.ts';
import type { PaymentProvider } from './provider.ts';
import { zitopay } from './providers/zitopay.ts';

/** The providers that the settings name. */
export interface PaymentProviders {
  get(slug: string): PaymentProvider | undefined;
  /** The one that a payment starts with when none is named. */
  readonly default: PaymentProvider;
  /** Origins of every provider's script, frames and checkout pages. */
  browserOrigins(): string[];
}

export function paymentProviders(config: Pick<Config, 'zitopay'>): PaymentProviders {
  return providersOf([zitopay(config.zitopay)]);
}

/** A registry of these providers; the first is the default. */
export function providersOf(providers: readonly [PaymentProvider, ...PaymentProvider[]]): PaymentProviders {
  const bySlug = new Map(providers.map((provider) => [provider.slug, provider]));
  return {
    get: (slug) => bySlug.get(slug),
    default: providers[0],
    browserOrigins: () => [...new Set(providers.flatMap((provider) => provider.browserOrigins))],
  };
}
