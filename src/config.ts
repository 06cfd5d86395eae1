import { paymentSettings } from './modules/payment/index.ts';
import { namesOfSettings, type Reader, readConfig } from './platform/settings/config.ts';

/**
 * Returns all settings: the platform's, and those of the payment providers.
 * @throws ConfigError with all faults
 */
export const loadConfig = (environment: Record<string, string | undefined> = process.env, reader: Reader = 'server') =>
  readConfig(paymentSettings, environment, reader);

export const settingNames = () => namesOfSettings(paymentSettings);

export type AppConfig = ReturnType<typeof loadConfig>;
