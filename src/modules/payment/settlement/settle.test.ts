import t, { type Test } from 'tap';
import type { Knobs } from '../../../../simulators/zitopay/control-client.ts';
import { startSimulator } from '../../../../simulators/zitopay/testing.ts';
import { TestClock } from '../../../../test/support/app.ts';
import { createTestDatabase } from '../../../../test/support/database.ts';
import { createLearner, createPrepa } from '../../../../test/support/factories.ts';
import { sql } from '../../../../test/support/sql.ts';
import { loadConfig } from '../../../config.ts';
import { createKernel } from '../../../kernel.ts';
import { Prepa } from '../../catalogue/index.ts';
import { showPayment } from '../../support/index.ts';
import { startPayment } from '../attempts/start.service.ts';
import type { PaymentProvider, Verification } from '../contract/provider.ts';
import { verifications } from '../ledger/payment.counters.ts';
import { storeNotification } from '../notifications/notification.service.ts';
import { providersOf } from '../providers/provider.registry.ts';
import { settlePayment } from './settle.service.ts';

const minute = 60_000;

async function openKernel(t: Test, providerUrl: string) {
  const { url: databaseUrl } = await createTestDatabase(t);
  const clock = new TestClock();
  const settings = { ZITOPAY_BASE_URL: providerUrl, ZITOPAY_RECEIVER: 'prepa', ZITOPAY_TIMEOUT_MS: '5000' };
  const kernel = await createKernel(loadConfig({ NODE_ENV: 'test', LOG_LEVEL: 'silent', ...settings }), { databaseUrl, clock });
  t.teardown(() => kernel.close());
  return { kernel, clock, databaseUrl };
}

/** Opens the application, the simulator, and one started payment that the payer sees. */
async function openPayment(t: Test) {
  const simulator = await startSimulator(t as never);
  const home = await openKernel(t, simulator.url);
  const { kernel } = home;
  const settled: unknown[] = [];
  kernel.events.on('payment.settled', async (_em, event) => void settled.push(event));
  const learner = await createLearner(home);
  const prepa = await createPrepa(home);
  const { payment, checkout } = await startPayment(kernel.fork(), kernel.context, kernel.providers, {
    learner,
    prepaId: prepa.id,
    origin: 'http://127.0.0.1:1',
  });
  if (checkout.kind !== 'widget') throw new Error('a widget');
  await simulator.control.register(checkout.options as never);
  const { reference } = payment;
  return {
    ...home,
    simulator,
    settled,
    learner,
    prepa,
    payment,
    reference,
    knobs: (knobs: Partial<Knobs>) => simulator.control.setKnobs(knobs, reference),
    settle: (actor: 'learner' | 'operator' = 'learner') => settlePayment(kernel.fork(), kernel.context, kernel.providers, reference, actor),
    story: async () => {
      const story = await showPayment(kernel.fork(), reference);
      if (!story) throw new Error('no such payment');
      return story;
    },
    extensions: () => sql(home.databaseUrl, 'select payment_id from enrolment_extension'),
  };
}

t.test('pending, then paid: one event, one extension, and the history', async (t) => {
  const { simulator, settle, settled, story, extensions, reference, payment, learner, prepa, clock } = await openPayment(t);
  t.match(await settle(), { status: 'pending', answer: 'pending', payment: { status: 'pending', checks: 1 } });
  await simulator.control.approve(reference);
  clock.advance(minute);
  t.match(await settle(), {
    status: 'success',
    answer: 'succeeded',
    payment: { status: 'succeeded', nextCheckAt: null, method: 'zitopay' },
  });
  t.strictSame(settled, [
    { paymentId: payment.id, userId: learner.id, prepaId: prepa.id, prepaNom: prepa.nom, amount: prepa.prix, at: clock.now() },
  ]);
  t.strictSame(await extensions(), [{ payment_id: payment.id }]);
  const { events, settledAt } = await story();
  t.strictSame(settledAt, clock.now());
  t.strictSame(
    events.map(({ type, actor, fromStatus, toStatus, detail }) => [type, actor, fromStatus, toStatus, detail?.kind]),
    [
      ['created', 'learner', null, 'created', undefined],
      ['transition', 'learner', 'created', 'pending', undefined],
      ['verification', 'learner', null, null, 'pending'],
      ['verification', 'learner', null, null, 'succeeded'],
      ['transition', 'learner', 'pending', 'succeeded', undefined],
    ],
  );
});

t.test('twenty concurrent checks settle once', async (t) => {
  const { simulator, settle, settled, extensions, reference } = await openPayment(t);
  await simulator.control.approve(reference);
  const settlements = await Promise.all(Array.from({ length: 20 }, () => settle()));
  t.strictSame(new Set(settlements.map(({ status }) => status)), new Set(['success']));
  t.equal(settled.length, 1);
  t.equal((await extensions()).length, 1);
});

t.test('repeated page loads share one request to the provider, and a notification always sends its own', async (t) => {
  const { kernel, settle, reference, simulator, knobs } = await openPayment(t);
  await knobs({ verifyFaults: [{ kind: 'hang', times: 2 }], verifyHangMs: 1500 });
  const questions = async () => (await verifications.get()).values.reduce((sum, { value }) => sum + value, 0);
  const before = await questions();
  t.ok((await Promise.all(Array.from({ length: 20 }, () => settle()))).every(({ status }) => status === 'pending'));
  t.equal((await questions()) - before, 1, 'twenty waiting pages share one answer');
  const waiting = settle();
  await simulator.control.approve(reference);
  const notified = await settlePayment(kernel.fork(), kernel.context, kernel.providers, reference, 'provider-notification');
  t.match(notified, { status: 'success' }, 'the notification does not use an answer requested before its arrival');
  await waiting;
});

t.test('a succeeded payment is not checked again', async (t) => {
  const { simulator, settle, settled, reference, knobs, story } = await openPayment(t);
  await simulator.control.approve(reference);
  await settle();
  await knobs({ verifyFaults: [{ kind: 'http500', times: null }] });
  t.match(await settle(), { status: 'success', answer: null });
  t.equal(settled.length, 1);
  t.equal((await story()).checks, 1);
});

t.test('an older provider response that arrives after a newer one changes nothing', async (t) => {
  const { kernel, simulator, settle, reference, story } = await openPayment(t);
  await simulator.control.approve(reference);
  const verify: PaymentProvider['verify'] = async () => {
    await settle();
    return { kind: 'pending', raw: {} };
  };
  const late = await settlePayment(
    kernel.fork(),
    kernel.context,
    providersOf([{ ...kernel.providers.default, verify }]),
    reference,
    'learner',
  );
  t.match(late, { status: 'success', payment: { status: 'succeeded' } });
  t.match(await story(), { status: 'succeeded', nextCheckAt: null, checks: 1 });
});

t.test('declined: the reason is kept as one of a few words, until the payment is paid', async (t) => {
  const { settle, simulator, knobs, reference, databaseUrl } = await openPayment(t);
  const refusal = async () => (await sql<{ refusal: string | null }>(databaseUrl, 'select refusal from payment'))[0]?.refusal;
  await knobs({ declineInfo: 'Le solde de 699123456 est insuffisant' });
  await simulator.control.decline(reference);
  await settle();
  t.equal(await refusal(), 'funds');
  await simulator.control.approve(reference);
  await settle();
  t.equal(await refusal(), null);
});

t.test('declined, and later paid', async (t) => {
  const { simulator, settle, settled, reference, story } = await openPayment(t);
  await simulator.control.decline(reference);
  const failed = await settle();
  t.match(failed, { status: 'failed', payment: { status: 'failed' } });
  t.ok(failed.payment.nextCheckAt, 'the payment has a next check');
  await simulator.control.approve(reference);
  t.match(await settle(), { status: 'success' });
  t.equal(settled.length, 1);
  t.match((await story()).events.at(-1), { fromStatus: 'failed', toStatus: 'succeeded' });
});

t.test('another amount is put under review without access, and the right amount later is a success', async (t) => {
  const { simulator, settle, settled, reference, knobs, story } = await openPayment(t);
  await simulator.control.approve(reference);
  await knobs({ tamperedAmount: 100 });
  t.match(await settle(), { status: 'pending', answer: 'mismatch', payment: { status: 'review', nextCheckAt: null } });
  t.equal(settled.length, 0);
  t.match((await story()).events.at(-1), { toStatus: 'review', detail: { note: 'mismatch' } });
  await knobs({ tamperedAmount: null });
  t.match(await settle('operator'), { status: 'success' });
  t.equal(settled.length, 1);
});

t.test('an adapter that throws or does not compare the amount settles no payment', async (t) => {
  const { kernel, reference, settled } = await openPayment(t);
  const saying = (verify: PaymentProvider['verify']) => providersOf([{ ...kernel.providers.default, verify }]);
  const settleWith = (verify: PaymentProvider['verify']) =>
    settlePayment(kernel.fork(), kernel.context, saying(verify), reference, 'learner');
  t.match(
    await settleWith(() => {
      throw new Error('broken');
    }),
    { answer: 'unknown', status: 'pending' },
  );
  const other: Verification = { kind: 'succeeded', amount: 1, currency: 'XAF', raw: {} };
  t.match(await settleWith(async () => other), { answer: 'mismatch', payment: { status: 'review' } });
  t.equal(settled.length, 0);
});

t.test('an unreachable provider changes nothing, and is asked again on schedule', async (t) => {
  const { settle, knobs, payment, clock } = await openPayment(t);
  await knobs({ verifyFaults: [{ kind: 'http500', times: null }] });
  const { answer, payment: after } = await settle();
  t.equal(answer, 'unknown');
  t.equal(after.status, 'pending');
  t.strictSame(after.nextCheckAt, new Date(payment.createdAt.getTime() + minute));
  clock.advance(73 * 60 * minute);
  t.equal((await settle()).payment.status, 'pending', 'an unanswered check does not end the payment');
});

t.test('a payment without outcome after 72 h is put under review, and a later success still opens the access', async (t) => {
  const { simulator, settle, settled, reference, clock } = await openPayment(t);
  clock.advance(72 * 60 * minute);
  t.match(await settle(), { status: 'pending', payment: { status: 'review', nextCheckAt: null } });
  await simulator.control.approve(reference);
  t.match(await settle(), { status: 'success' });
  t.equal(settled.length, 1);
});

t.test('a failing event handler rolls everything back, and a later check succeeds', async (t) => {
  const { kernel, simulator, settle, reference, story, extensions } = await openPayment(t);
  let refuse = true;
  kernel.events.on('payment.settled', async () => {
    if (refuse) throw new Error('refused');
  });
  await simulator.control.approve(reference);
  await t.rejects(settle(), /refused/);
  t.match(await story(), { status: 'pending', checks: 0, settledAt: null });
  t.equal((await extensions()).length, 0);
  refuse = false;
  t.equal((await settle()).status, 'success');
  t.equal((await extensions()).length, 1);
});

t.test('paid for a deleted prepa: review', async (t) => {
  const { kernel, simulator, settle, settled, reference, prepa, story } = await openPayment(t);
  await kernel.fork().nativeDelete(Prepa, { id: prepa.id });
  await simulator.control.approve(reference);
  t.match(await settle(), { status: 'pending', payment: { status: 'review' } });
  t.match(await story(), { prepaNom: prepa.nom, prepaId: null });
  t.equal(settled.length, 0);
});

t.test('the same answer again is counted, not written again, unless an operator asks', async (t) => {
  const { settle, story } = await openPayment(t);
  const verifications = async () => (await story()).events.filter(({ type }) => type === 'verification').length;
  await settle();
  await settle();
  t.equal(await verifications(), 1);
  t.equal((await story()).checks, 2);
  await settle('operator');
  t.equal(await verifications(), 2);
});

t.test('settling an unknown payment, or within a transaction, is an error', async (t) => {
  const { kernel } = await openPayment(t);
  const settle = (em = kernel.fork()) => settlePayment(em, kernel.context, kernel.providers, 'ZP0', 'operator');
  await t.rejects(settle(), { status: 404, message: "Ce paiement n'existe pas." });
  await t.rejects(
    kernel.fork().transactional((em) => settle(em)),
    /transaction/,
  );
});

t.test('a payment never known to its provider expires without notification, and a late success still counts', async (t) => {
  const { kernel, reference, clock, story, settled } = await openPayment(t);
  const told: string[] = [];
  kernel.events.on('payment.failed', async () => void told.push('failed'));
  let answer: Verification = { kind: 'not_found', raw: {} };
  const providers = providersOf([{ ...kernel.providers.default, verify: async () => answer }]);
  const settle = () => settlePayment(kernel.fork(), kernel.context, providers, reference, 'reconciliation');
  for (const kind of ['not_found', 'unknown', 'not_found'] as const) {
    answer = kind === 'unknown' ? { kind, cause: 'time-out' } : { kind, raw: {} };
    t.match(await settle(), { payment: { status: 'pending' } });
    clock.advance(24 * 60 * minute);
  }
  t.match(await settle(), { status: 'failed', payment: { status: 'expired', nextCheckAt: null } });
  t.match((await story()).events.at(-1), { toStatus: 'expired', detail: { note: 'never seen by the provider' } });
  t.same(told, [], 'a learner who left before paying gets no notification 3 days later');
  const { amount } = await story();
  answer = { kind: 'succeeded', amount, currency: 'XAF', raw: {} };
  t.match(await settle(), { status: 'success' });
  t.equal(settled.length, 1);
});

t.test('seen once and lost again: review', async (t) => {
  const { kernel, reference, clock } = await openPayment(t);
  let kind: 'not_found' | 'pending' = 'pending';
  const providers = providersOf([{ ...kernel.providers.default, verify: async () => ({ kind, raw: {} }) }]);
  const settle = () => settlePayment(kernel.fork(), kernel.context, providers, reference, 'reconciliation');
  await settle();
  kind = 'not_found';
  clock.advance(73 * 60 * minute);
  t.match(await settle(), { status: 'pending', payment: { status: 'review' } });
});

t.test('never found by its reference, but announced in a signed notification: review', async (t) => {
  const { kernel, reference, clock, story } = await openPayment(t);
  const providers = providersOf([{ ...kernel.providers.default, verify: async () => ({ kind: 'not_found', raw: {} }) }]);
  const body = Buffer.from(`ref=${reference}`);
  const signing = { ...kernel.providers.default, readNotification: async () => ({ references: [reference], signed: true, eventKey: 'e' }) };
  await storeNotification(kernel.fork(), kernel.context, signing, { body, headers: {} });
  clock.advance(73 * 60 * minute);
  const { payment } = await settlePayment(kernel.fork(), kernel.context, providers, reference, 'reconciliation');
  t.equal(payment.status, 'review');
  t.match((await story()).events.at(-1), { detail: { note: 'no outcome after 72 h' } });
});
