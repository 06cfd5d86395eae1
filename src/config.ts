import { type PaymentSettings, paymentSettings } from './modules/payment/index.ts';
import { type Config, readConfig } from './platform/settings/config.ts';

/** Every setting: the platform's, and those that payment reads for its providers. */
export type AppConfig = Config & PaymentSettings;

/** @throws ConfigError with every fault at once */
export const loadConfig = (environment: Record<string, string | undefined> = process.env): AppConfig =>
  readConfig(paymentSettings, environment);
