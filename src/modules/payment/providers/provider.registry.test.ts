import t from 'tap';
import { json, startScripted, status } from '../../../../test/support/scripted-provider.ts';
import { loadConfig } from '../../../config.ts';
import { paymentProviders } from './provider.registry.ts';

const attempt = { reference: 'NP1', amount: 5000, currency: 'XAF', providerTransactionId: null };

t.test('the chosen providers, the first by default', async (t) => {
  const both = paymentProviders(loadConfig({ PAYMENT_PROVIDERS: 'notchpay,zitopay' }));
  const choices = both.list().map(({ slug, label, means }) => ({ slug, label, means }));
  t.strictSame(choices, [
    { slug: 'notchpay', label: 'Notch Pay (Mobile Money)', means: ['mtn', 'orange'] },
    { slug: 'zitopay', label: 'ZitoPay (carte, Mobile Money)', means: ['mtn', 'orange', 'card'] },
  ]);
  t.equal(both.default.slug, 'notchpay');
  t.equal(both.get('zitopay')?.slug, 'zitopay');
  t.strictSame(both.browserOrigins(), { widget: ['http://127.0.0.1:4010'], checkout: ['http://127.0.0.1:4011', 'http://127.0.0.1:4010'] });
  const one = paymentProviders(loadConfig());
  t.strictSame(
    one.list().map(({ slug }) => slug),
    ['zitopay'],
  );
  t.equal(one.get('notchpay'), undefined);
});

t.test('a provider that is no longer chosen is still asked, but starts no payments', async (t) => {
  const keys = { NOTCHPAY_PUBLIC_KEY: 'pk_test_sim' };
  const providers = paymentProviders(loadConfig({ ...keys, PAYMENT_PROVIDERS: 'zitopay' }));
  t.equal(providers.get('notchpay')?.slug, 'notchpay');
  t.strictSame(
    providers.list().map(({ slug }) => slug),
    ['zitopay'],
  );
  t.strictSame(providers.browserOrigins(), { widget: ['http://127.0.0.1:4010'], checkout: ['http://127.0.0.1:4010'] });
  t.match(providers.health(), [{ slug: 'zitopay' }, { slug: 'notchpay' }]);
  const real = {
    NODE_ENV: 'production',
    PAYMENT_PROVIDERS: 'notchpay',
    NOTCHPAY_PUBLIC_KEY: 'pk_x',
    NOTCHPAY_HASH_KEY: 'hsk_c4Vb7Qe1s9Zp4xTm',
  };
  const production = { ...real, PUBLIC_URL: 'https://prepa.example', DATABASE_URL: 'postgres://127.0.0.1/prepa' };
  t.equal(paymentProviders(loadConfig(production)).get('zitopay'), undefined, 'a provider without a receiver is not available');
  t.equal(paymentProviders(loadConfig({ ...production, ZITOPAY_RECEIVER: 'prepa' })).get('zitopay')?.slug, 'zitopay');
});

t.test('a failing provider is paused without the other, according to the settings', async (t) => {
  const notchpay = await startScripted(t, [status(500)]);
  const zitopay = await startScripted(t, [json({ status: 0 })]);
  const settings = { NOTCHPAY_PUBLIC_KEY: 'pk_test_sim', NOTCHPAY_BASE_URL: notchpay.baseUrl, ZITOPAY_BASE_URL: zitopay.baseUrl };
  const config = loadConfig({ ...settings, PAYMENT_PROVIDERS: 'zitopay,notchpay', PAYMENT_PROVIDER_FAILURES: '2' });
  const changes: string[] = [];
  const providers = paymentProviders(config, { onStateChange: ({ slug, breaker }) => changes.push(`${slug} ${breaker}`) });
  const verify = async (slug: string) => providers.get(slug)?.verify(attempt);
  t.match(await verify('notchpay'), { kind: 'unknown', cause: 'provider failing', retryAfterSeconds: 30 });
  t.equal(notchpay.asked.length, 2);
  t.match(await verify('zitopay'), { kind: 'pending' });
  t.match(providers.health(), [
    { slug: 'zitopay', breaker: 'closed', failures: 0, lastFailure: null, waitsUntil: null },
    { slug: 'notchpay', breaker: 'open', failures: 2, lastFailure: 'HTTP 500', waitsUntil: null },
  ]);
  t.strictSame(changes, ['notchpay open']);
});
