import t from 'tap';
import { TestClock } from '../../../../test/support/app.ts';
import { createTestDatabase } from '../../../../test/support/database.ts';
import { createLearner, createPrepa } from '../../../../test/support/factories.ts';
import { json, startScripted } from '../../../../test/support/scripted-provider.ts';
import { sql } from '../../../../test/support/sql.ts';
import { loadConfig } from '../../../config.ts';
import { createKernel } from '../../../kernel.ts';
import { startPayment } from '../attempts/start.service.ts';
import { settlePayment } from './settle.service.ts';

const hour = 3_600_000;

t.test('a partly paid payment stays pending on the schedule, then goes to review, and the rest still opens the access once', async (t) => {
  const { url: databaseUrl } = await createTestDatabase(t);
  const clock = new TestClock();
  const transaction = { reference: 'trx.1', merchant_reference: '', amount: 3000, currency: 'XAF', status: 'pending' };
  const page = { authorization_url: 'http://127.0.0.1:9/trx.1', transaction: 'trx.1' };
  const { baseUrl } = await startScripted(t, [json(page, 201), (response, asked) => json({ transaction })(response, asked)]);
  const settings = { PAYMENT_PROVIDERS: 'notchpay', NOTCHPAY_PUBLIC_KEY: 'pk_test_sim', NOTCHPAY_CHECKOUT_ORIGIN: 'http://127.0.0.1:9' };
  const environment = { ...settings, NOTCHPAY_BASE_URL: baseUrl, NODE_ENV: 'test', LOG_LEVEL: 'silent' };
  const kernel = await createKernel(loadConfig(environment), { databaseUrl, clock });
  t.teardown(() => kernel.close());
  const home = { kernel, clock, databaseUrl };
  const prepa = await createPrepa(home, { prix: 5000 });
  const input = { learner: await createLearner(home), prepaId: prepa.id, origin: 'https://site.example' };
  const { payment, checkout } = await startPayment(kernel.fork(), kernel.context, kernel.providers, input);
  t.match(checkout, { kind: 'redirect', redirectUrl: page.authorization_url });
  transaction.merchant_reference = payment.reference;
  const settle = () => settlePayment(kernel.fork(), kernel.context, kernel.providers, payment.id, 'reconciliation');
  const extensions = () => sql(databaseUrl, 'select payment_id from enrolment_extension');

  t.match(await settle(), { answer: 'pending' });
  transaction.status = 'incomplete';
  const short = await settle();
  t.match(short, { answer: 'incomplete', status: 'pending', payment: { status: 'pending', providerTransactionId: 'trx.1' } });
  t.ok(short.payment.nextCheckAt, 'the payment has a next check');
  const told = `select detail->>'kind' as kind, detail->'answer'->'transaction'->>'amount' as paid from payment_event where type = 'verification' order by id`;
  t.strictSame(await sql(databaseUrl, told), [
    { kind: 'pending', paid: '3000' },
    { kind: 'incomplete', paid: '3000' },
  ]);

  clock.advance(73 * hour);
  t.match(await settle(), { answer: 'incomplete', payment: { status: 'review', nextCheckAt: null } });
  t.strictSame(await extensions(), []);
  Object.assign(transaction, { status: 'complete', amount: 5000 });
  t.match(await settle(), { status: 'success', payment: { status: 'succeeded' } });
  await settle();
  t.strictSame(await extensions(), [{ payment_id: payment.id }]);
});
