import type { z } from 'zod';
import type { ProductionRules } from '../../../platform/settings/production-settings.ts';
import type { PaymentProvider } from './provider.ts';
import type { ProviderSurroundings } from './provider-http.ts';

/** A provider's definition, exported by its folder for the registry. */
export interface ProviderDefinition<Settings> {
  /** Name for support pages. */
  name: string;
  /** Query and form fields in which a returning browser may bring our reference or the provider's. */
  returnFields: readonly string[];
  /** Schema that reads its settings from the environment's variables. */
  settings: z.ZodType<Settings>;
  /** Names of variables that may also be given as files. */
  secrets: readonly string[];
  /**
   * `required` applies when the provider is chosen. `addresses` also applies to a provider that is no longer chosen, since it
   * still verifies its open payments.
   */
  production: ProductionRules;
  /** Returns whether these settings are enough to call the provider. */
  isComplete(settings: Settings): boolean;
  adapter(settings: Settings, surroundings: Partial<ProviderSurroundings>): PaymentProvider;
}
