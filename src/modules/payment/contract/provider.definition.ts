import type { z } from 'zod';
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
  /** Names of variables. */
  production: {
    /** What must be set when the provider is chosen. */
    required: readonly string[];
    /** Where money and its payers are sent. Also of one that is not chosen any more: it is asked about its open payments. */
    addresses: readonly string[];
    /** Values that everybody knows: the demonstration's, its simulator's and those of .env.example. */
    published: Readonly<Record<string, RegExp>>;
  };
  /** Whether these settings are enough to ask it anything. */
  isComplete(settings: Settings): boolean;
  adapter(settings: Settings, surroundings: Partial<ProviderSurroundings>): PaymentProvider;
}
