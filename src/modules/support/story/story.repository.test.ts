import t, { type Test } from 'tap';
import { TestClock } from '../../../../test/support/app.ts';
import { createTestDatabase } from '../../../../test/support/database.ts';
import { createLearner, createPrepa } from '../../../../test/support/factories.ts';
import { loadConfig } from '../../../config.ts';
import { createKernel } from '../../../kernel.ts';
import { startPayment } from '../../payment/attempts/start.service.ts';
import type { Verification } from '../../payment/contract/provider.ts';
import { isCoveredByVerifiedPayment, latestPayment } from '../../payment/ledger/payment.repository.ts';
import { storeNotification } from '../../payment/notifications/notification.service.ts';
import { providersOf } from '../../payment/providers/provider.registry.ts';
import { settlePayment } from '../../payment/settlement/settle.service.ts';
import { listPayments } from '../payments/payments.repository.ts';
import { showPayment } from './story.repository.ts';

async function openShop(t: Test) {
  const { url: databaseUrl } = await createTestDatabase(t);
  const clock = new TestClock();
  const kernel = await createKernel(loadConfig({ NODE_ENV: 'test', LOG_LEVEL: 'silent' }), { databaseUrl, clock });
  t.teardown(() => kernel.close());
  const learner = await createLearner({ kernel, clock });
  const prepa = await createPrepa({ kernel, clock });
  return {
    kernel,
    clock,
    learner,
    prepa,
    async pay(answer: (reference: string) => Verification) {
      const verify = async ({ reference }: { reference: string }) => answer(reference);
      const providers = providersOf([{ ...kernel.providers.default, verify }]);
      const input = { learner, prepaId: prepa.id, origin: 'http://127.0.0.1:1' };
      const { payment } = await startPayment(kernel.fork(), kernel.context, providers, input);
      return (await settlePayment(kernel.fork(), kernel.context, providers, payment.id, 'learner')).payment;
    },
  };
}

const failed = (): Verification => ({ kind: 'failed', raw: {} });

t.test('the list is ordered newest first, filtered by status, and limited', async (t) => {
  const { kernel, clock, pay, learner, prepa } = await openShop(t);
  const references: string[] = [];
  for (let count = 0; count < 3; count += 1) {
    references.unshift((await pay(failed)).reference);
    clock.advance(1000);
  }
  const list = async (filter = {}) => (await listPayments(kernel.fork(), filter)).map(({ reference }) => reference);
  t.strictSame(await list(), references);
  t.strictSame(await list({ status: 'failed', limit: 2 }), references.slice(0, 2));
  t.strictSame(await list({ status: 'succeeded' }), []);
  t.strictSame(await list({ limit: 100_000 }), references);
  t.match((await listPayments(kernel.fork()))[0], {
    email: learner.email,
    prepaId: prepa.id,
    prepaNom: prepa.nom,
    amount: 15_000,
    checks: 1,
  });
});

t.test('show: the full history, without the telephone number', async (t) => {
  const { kernel, pay } = await openShop(t);
  const raw = (reference: string) => ({ ref: reference, payer: '237699123456', amount: 15_000 });
  const { reference } = await pay((reference) => ({ kind: 'failed', reason: 'Declined by 699123456', raw: raw(reference) }));
  const body = Buffer.from(`ref=${reference}`);
  await storeNotification(kernel.fork(), kernel.context, kernel.providers.default, { body, headers: {} });
  const story = await showPayment(kernel.fork(), reference);
  t.strictSame(story?.events.find(({ type }) => type === 'verification')?.detail, {
    kind: 'failed',
    reason: 'Declined by …3456',
    answer: { ref: reference, payer: '…3456', amount: 15_000 },
  });
  t.match(story?.notifications, [{ contentType: '', processedAt: null }]);
  t.equal(await showPayment(kernel.fork(), 'ZP0'), null);
});

t.test('the latest payment is found, and a verified payment since the given time covers its prepa', async (t) => {
  const { kernel, clock, pay, learner, prepa } = await openShop(t);
  const latest = () => latestPayment(kernel.fork(), learner.id, prepa.id);
  const covered = (since = new Date(0), prepaId = prepa.id) => isCoveredByVerifiedPayment(kernel.fork(), learner.id, prepaId, since);
  t.equal(await latest(), null);
  const { reference } = await pay(() => ({ kind: 'succeeded', amount: 15_000, currency: 'XAF', raw: {} }));
  t.match(await latest(), { reference, status: 'succeeded', prepaNom: prepa.nom, amount: 15_000, provider: 'zitopay' });
  t.ok(await covered());
  t.notOk(await covered(new Date(clock.now().getTime() + 1)));
  t.notOk(await covered(new Date(0), prepa.id + 1));
  clock.advance(1000);
  await pay(failed);
  t.match(await latest(), { status: 'failed' });
  t.ok(await covered());
});
