import { paymentSettings } from './modules/payment/index.ts';
import { namesOfSettings, type Reader, readConfig } from './platform/settings/config.ts';

/**
 * Every setting: the platform's, and those that payment reads for its providers.
 * @throws ConfigError with every fault at once
 */
export const loadConfig = (environment: Record<string, string | undefined> = process.env, reader: Reader = 'server') =>
  readConfig(paymentSettings, environment, reader);

/** What settings there are, by name. */
export const settingNames = () => namesOfSettings(paymentSettings);

export type AppConfig = ReturnType<typeof loadConfig>;
