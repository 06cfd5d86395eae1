import { loadConfig } from '../../src/config.ts';
import { ConfigError, type Reader } from '../../src/platform/settings/config.ts';

/** Settings required in production. */
export const production = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgresql://prepa:Qm4vT8zLr2XcWk6p@localhost:5432/prepa',
  PUBLIC_URL: 'https://prepa.example',
  ZITOPAY_RECEIVER: 'prepa',
};

/** Returns the faults of these settings. */
export function faultsOf(environment: Record<string, string>, reader: Reader = 'server'): string[] {
  try {
    loadConfig(environment, reader);
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
  return [];
}
