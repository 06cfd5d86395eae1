import { serve } from '../platform/serve.ts';
import { buildNotchpay } from './app.ts';

const { PUBLIC_KEY, HASH_KEY, WEBHOOK_URL, SCENARIOS = 'on' } = process.env;

await serve('Simulateur Notch Pay', 4011, (options) =>
  buildNotchpay({
    ...options,
    publicKey: PUBLIC_KEY || undefined,
    hashKey: HASH_KEY || undefined,
    webhookUrl: WEBHOOK_URL || null,
    scenarios: SCENARIOS !== 'off',
  }),
);
