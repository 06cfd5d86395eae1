import type { z } from 'zod';
import type { ProductionRules } from '../../../platform/settings/production-settings.ts';
import type { PaymentProvider } from './provider.ts';
import type { ProviderSurroundings } from './provider-http.ts';

/** All that a provider's folder says of it, to the registry. */
export interface ProviderDefinition<Settings> {
  /** As support reads it. */
  name: string;
  /** The fields in which a browser that comes back brings our reference, or the provider's own. */
  returnFields: readonly string[];
  /** Read from the environment's variables. */
  settings: z.ZodType<Settings>;
  /** Those of its variables that may stand in files. */
  secrets: readonly string[];
  /** `required` when it is chosen; the addresses also of one that is not any more: it is asked about its open payments. */
  production: ProductionRules;
  /** Whether these settings are enough to ask it anything. */
  isComplete(settings: Settings): boolean;
  adapter(settings: Settings, surroundings: Partial<ProviderSurroundings>): PaymentProvider;
}
