import { loadConfig } from '../../src/config.ts';
import { ConfigError, type Reader } from '../../src/platform/settings/config.ts';

/** What production cannot do without. */
export const production = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgresql://prepa:Qm4vT8zLr2XcWk6p@localhost:5432/prepa',
  PUBLIC_URL: 'https://prepa.example',
  ZITOPAY_RECEIVER: 'prepa',
};

/** Every fault of these settings; none when they are read. */
export function faultsOf(environment: Record<string, string>, reader: Reader = 'server'): string[] {
  try {
    loadConfig(environment, reader);
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
  return [];
}
