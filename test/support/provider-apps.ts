import type { Test } from 'tap';
import { HASH_KEY, startNotchpay } from '../../simulators/notchpay/testing.ts';
import { startSimulator } from '../../simulators/zitopay/testing.ts';
import { createTestApp } from './app.ts';
import { createLearner, createPrepa } from './factories.ts';

const notchpayEnv = (baseUrl: string) => ({
  NOTCHPAY_BASE_URL: baseUrl,
  NOTCHPAY_PUBLIC_KEY: 'pk_test_sim',
  NOTCHPAY_HASH_KEY: HASH_KEY,
});

/** Opens the application with the simulators of both providers, one learner and one prepa. */
export async function openBothProviders(t: Test, env: Record<string, string> = {}) {
  const [zitopay, notchpay] = [await startSimulator(t as never), await startNotchpay(t as never)];
  const home = await createTestApp(t, {
    PAYMENT_PROVIDERS: 'zitopay,notchpay',
    ZITOPAY_BASE_URL: zitopay.url,
    ZITOPAY_RECEIVER: 'prepa',
    ZITOPAY_TIMEOUT_MS: '5000',
    NOTCHPAY_TIMEOUT_MS: '5000',
    ...notchpayEnv(notchpay.url),
    ...env,
  });
  return { ...home, zitopay, notchpay, learner: await createLearner(home), prepa: await createPrepa(home, { nom: 'ENS' }) };
}

/** Opens the application with Notch Pay's simulator only. */
export async function openNotchpay(t: Test, env: Record<string, string> = {}) {
  const notchpay = await startNotchpay(t as never);
  return { ...(await createTestApp(t, { PAYMENT_PROVIDERS: 'notchpay', ...notchpayEnv(notchpay.url), ...env })), notchpay };
}
