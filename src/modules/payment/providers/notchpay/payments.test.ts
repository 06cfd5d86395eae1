import t, { type Test } from 'tap';
import type { KnobPatch } from '../../../../../simulators/notchpay/control-client.ts';
import { call } from '../../../../../test/support/app.ts';
import { createLearner, createPrepa } from '../../../../../test/support/factories.ts';
import { openNotchpay } from '../../../../../test/support/provider-apps.ts';
import { sql } from '../../../../../test/support/sql.ts';
import { reconcilePayments } from '../../reconciliation/reconcile.service.ts';
import { settlePayment } from '../../settlement/settle.service.ts';
import { paymentProviders } from '../provider.registry.ts';

const minute = 60_000;

/** Opens the application with Notch Pay alone, on a port, so that the simulator's webhooks reach it. */
async function openShop(t: Test) {
  const home = await openNotchpay(t, { NOTCHPAY_TIMEOUT_MS: '5000' });
  const { app, kernel, clock, databaseUrl, notchpay } = home;
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });
  await notchpay.control.setWebhook(`${origin}/api/payment/notchpay/notification`);
  const prepa = await createPrepa(home);
  return {
    notchpay,
    app,
    kernel,
    clock,
    databaseUrl,
    learner: () => createLearner(home),
    begin: async (learner?: { session: string }, more: object = {}) => {
      const session = (learner ?? (await createLearner(home))).session;
      return call(app, { method: 'POST', url: '/api/payment/start', session, payload: { prepaId: prepa.id, ...more } });
    },
    knobs: (patch: KnobPatch) => notchpay.control.setKnobs(patch),
    reconcile: () => reconcilePayments(kernel.fork(), kernel.context, kernel.providers),
    verify: (reference: string) => settlePayment(kernel.fork(), kernel.context, kernel.providers, reference, 'operator'),
    /** Waits until the background work has led to the expected status. */
    until: async (expected: string, reference: string) => {
      for (const deadline = Date.now() + 15_000; Date.now() < deadline; ) {
        const [row] = await sql<{ status: string }>(databaseUrl, 'select status from payment where reference = $1', [reference]);
        if (row?.status === expected) return true;
        await new Promise((resolve) => setImmediate(resolve));
      }
      return false;
    },
    statements: () =>
      sql(
        databaseUrl,
        'select provider_fee as fee, amount_charged as charged, method, completed_at is not null as dated from payment order by id',
      ),
    days: () => sql(databaseUrl, 'select payment_id is not null as paid, days from enrolment_extension order by id'),
    notifications: () =>
      sql<{ known: boolean; signed: boolean; processed: boolean; candidates: string[] }>(
        databaseUrl,
        `select payment_id is not null as known, signed, processed_at is not null as processed, candidates from payment_notification order by id`,
      ),
  };
}

const referenceOf = (answer: { json(): unknown }): string => (answer.json() as { reference: string }).reference;

t.test('redirect, approval, webhook: 30 days', async (t) => {
  const { begin, notchpay, until, days } = await openShop(t);
  const answer = await begin();
  t.match(answer.json(), { provider: 'notchpay', redirectUrl: new RegExp(`^${notchpay.url}/`) });
  const reference = referenceOf(answer);
  t.match(reference, /^NP\d{13}[\da-f]{8}$/);
  await notchpay.control.approve(reference);
  t.ok(await until('succeeded', reference));
  t.same(await days(), [{ paid: true, days: 30 }]);
});

t.test('the webhook arrives before the response to the start', async (t) => {
  const { begin, knobs, until, days, databaseUrl, reconcile, clock } = await openShop(t);
  await knobs({ beforeAnswer: 'complete', webhookReference: 'ours' });
  t.ok(await until('succeeded', referenceOf(await begin())));
  await knobs({ webhookReference: 'theirs' });
  const reference = referenceOf(await begin());
  clock.advance(1000);
  t.match(await reconcile(), { checked: 1, succeeded: 1 }, "processed before it is due: the provider's id is known by now");
  t.equal((await days()).length, 2);
  t.match(await sql(databaseUrl, 'select provider_transaction_id as id from payment where reference = $1', [reference]), [{ id: /^trx/ }]);
});

t.test("an event with only the provider's id, before we know that id, is processed by the next reconciliation", async (t) => {
  const { begin, notchpay, databaseUrl, reconcile, notifications, days, clock } = await openShop(t);
  const reference = referenceOf(await begin());
  const [{ id } = { id: '' }] = await sql<{ id: string }>(databaseUrl, 'select provider_transaction_id as id from payment');
  await sql(databaseUrl, 'update payment set provider_transaction_id = null');
  await notchpay.control.setKnobs({ webhookReference: 'theirs', webhookGeneration: 'type', webhookTimes: 1 });
  await notchpay.control.approve(reference);
  await sql(databaseUrl, 'update payment_notification set payment_id = null');
  await sql(
    databaseUrl,
    `update payment set provider_transaction_id = $1, status = 'pending', next_check_at = created_at + interval '1 minute'`,
    [id],
  );
  clock.advance(1000);
  t.match(await reconcile(), { checked: 1, succeeded: 1 });
  t.match(await notifications(), [{ known: true, processed: true }]);
  t.equal((await days()).length, 1);
});

t.test('complete, then processing: a late older event changes nothing', async (t) => {
  const { begin, notchpay, knobs, until, days, notifications, databaseUrl } = await openShop(t);
  await knobs({ approvalStory: 'complete-then-processing' });
  const reference = referenceOf(await begin());
  await notchpay.control.approve(reference);
  t.ok(await until('succeeded', reference));
  await notchpay.control.notify(reference, 'processing');
  t.ok((await notifications()).length >= 2);
  t.match(await sql(databaseUrl, 'select status from payment'), [{ status: 'succeeded' }]);
  t.equal((await days()).length, 1);
});

t.test('failed, then complete: the late success opens the access', async (t) => {
  const { begin, notchpay, knobs, until, days } = await openShop(t);
  await knobs({ approvalStory: 'failed-then-complete' });
  const reference = referenceOf(await begin());
  await notchpay.control.approve(reference);
  t.ok(await until('succeeded', reference));
  t.same(await days(), [{ paid: true, days: 30 }]);
});

t.test("another account's event gets a 2xx and is ignored", async (t) => {
  const { notchpay, notifications, days } = await openShop(t);
  await notchpay.control.setKnobs({ webhookDisabledBy4xx: true });
  const { deliveries } = await notchpay.control.sendForeignEvent();
  t.match(deliveries, [{ httpStatus: 200 }]);
  t.match(await notchpay.control.webhook(), { enabled: true }, 'the endpoint stays enabled');
  t.match(
    await notifications(),
    [{ known: false, signed: true, processed: false }],
    'the event stays unprocessed, in case its payment becomes known',
  );
  t.same(await days(), []);
});

t.test('a forged event is stored and gets a 2xx but is never acted upon, and the next reconciliation settles the payment', async (t) => {
  const { begin, notchpay, knobs, notifications, days, reconcile, clock, databaseUrl } = await openShop(t);
  for (const webhookSignature of ['wrong-key', 'other-body', 'none'] as const) {
    await knobs({ webhookSignature });
    await notchpay.control.approve(referenceOf(await begin()));
  }
  t.match(
    await notifications(),
    Array.from({ length: 3 }, () => ({ known: false, signed: false, candidates: [] })),
  );
  t.same(await days(), [], 'a forged event opens no access');
  t.match(await sql(databaseUrl, `select count(*)::int as n from payment where status = 'pending'`), [{ n: 3 }]);
  clock.advance(minute);
  t.match(await reconcile(), { checked: 3, succeeded: 3 });
  t.equal((await days()).length, 3);
});

t.test('refunded at the provider: found by a check, and the days are reversed', async (t) => {
  const { begin, notchpay, until, verify, days } = await openShop(t);
  const reference = referenceOf(await begin());
  await notchpay.control.approve(reference);
  t.ok(await until('succeeded', reference));
  await notchpay.control.refund(reference);
  t.match(await verify(reference), { payment: { status: 'refunded' } });
  t.same(await days(), [
    { paid: true, days: 30 },
    { paid: false, days: -30 },
  ]);
});

t.test('started again: the one-time address is used up, a new attempt begins, and each opens the access once', async (t) => {
  const { begin, notchpay, learner, until, days, databaseUrl, clock } = await openShop(t);
  const who = await learner();
  const first = referenceOf(await begin(who));
  clock.advance(minute);
  const again = await begin(who);
  t.match(
    again.json(),
    { reference: first, open: { provider: 'notchpay', resumable: false } },
    'the first attempt is shown, since it may be paid already',
  );
  t.equal(again.json().redirectUrl, undefined);
  const second = referenceOf(await begin(who, { anotherAttempt: true }));
  t.not(second, first);
  t.same(await sql(databaseUrl, 'select status from payment order by id'), [{ status: 'pending' }, { status: 'pending' }]);
  await notchpay.control.approve(first);
  t.ok(await until('succeeded', first));
  t.same(await days(), [{ paid: true, days: 30 }]);
});

t.test('a start whose response is lost is resumed, and never charged twice', async (t) => {
  const { begin, knobs, learner, databaseUrl, clock } = await openShop(t);
  const who = await learner();
  await knobs({ startFaults: [{ kind: 'lost', times: 1 }] });
  const lost = await begin(who);
  t.equal(lost.statusCode, 502);
  t.same(lost.json().message, "Erreur lors de l'initialisation du paiement");
  clock.advance(minute);
  t.equal((await begin(who)).statusCode, 200);
  t.match(
    await sql(databaseUrl, 'select count(*)::int as n from payment'),
    [{ n: 2 }],
    'the first attempt stays, so that its outcome is checked',
  );
});

t.test('a 429: the run pauses the provider, and payments not yet checked stay due', async (t) => {
  const { begin, knobs, reconcile, databaseUrl, clock } = await openShop(t);
  await begin();
  await sql(
    databaseUrl,
    `insert into payment (provider, reference, user_id, prepa_id, prepa_nom, amount, status, next_check_at, created_at, updated_at)
     select provider, reference || n, user_id, prepa_id, prepa_nom, amount, 'pending', created_at, created_at, created_at from payment, generate_series(1, 29) n`,
  );
  clock.advance(minute);
  await knobs({ verifyFaults: [{ kind: 'http429', times: 1 }], retryAfterSeconds: 600 });
  const first = await reconcile();
  t.equal(first.checked, 20, 'the run checks the payments already claimed');
  t.ok(first.unanswered >= 16, 'no request was sent after the 429');
  t.match(await reconcile(), { checked: 0 });
  clock.advance(11 * minute);
  t.equal((await reconcile()).checked, 30, 'all payments are checked after the pause');
});

t.test('an event sent ten times is stored ten times, and its payment is checked once or twice', async (t) => {
  const { begin, notchpay, knobs, until, notifications, databaseUrl } = await openShop(t);
  await knobs({ webhookTimes: 10 });
  const reference = referenceOf(await begin());
  await notchpay.control.approve(reference);
  t.ok(await until('succeeded', reference));
  for (const deadline = Date.now() + 15_000; (await notifications()).some(({ processed }) => !processed) && Date.now() < deadline; );
  t.match(
    await notifications(),
    Array.from({ length: 10 }, () => ({ known: true, signed: true, processed: true })),
  );
  const [{ checks } = { checks: 0 }] = await sql<{ checks: number }>(databaseUrl, 'select checks from payment');
  t.ok(checks <= 3, `${checks} checks`);
});

t.test('one id for the events of all payments: no event suppresses another', async (t) => {
  const { begin, notchpay, knobs, until, days } = await openShop(t);
  await knobs({ webhookId: 'endpoint', webhookGeneration: 'event' });
  const [first, second] = [referenceOf(await begin()), referenceOf(await begin())];
  await notchpay.control.approve(first);
  t.ok(await until('succeeded', first));
  await notchpay.control.approve(second);
  t.ok(await until('succeeded', second), 'the second event is processed too');
  t.equal((await days()).length, 2);
});

t.test('an event with a nested transaction and our reference only in trxref is processed', async (t) => {
  const { begin, notchpay, knobs, until, statements } = await openShop(t);
  await knobs({
    startHttpStatus: 202,
    verifyHttpStatus: 202,
    codeType: 'string',
    envelope: 'data',
    ownReferenceField: 'trxref',
    webhookData: 'nested',
    webhookReference: 'trxref',
    statementFields: true,
  });
  const reference = referenceOf(await begin());
  await notchpay.control.approve(reference);
  t.ok(await until('succeeded', reference));
  t.match(await statements(), [{ fee: 300, charged: 15_300, method: 'cm.mtn', dated: true }], 'fee, total, method and time are stored');
});

t.test('where only real money is accepted, a test payment opens no access and is put under review', async (t) => {
  const { begin, notchpay, kernel, days, databaseUrl } = await openShop(t);
  await notchpay.control.setWebhook(null);
  const { config, context } = kernel;
  const real = paymentProviders({ ...config, notchpay: { ...config.notchpay, acceptsSandbox: false } });
  const reference = referenceOf(await begin());
  await notchpay.control.approve(reference);
  const told: object[] = [];
  const log = { ...context.log, warn: (line: object) => told.push(line) } as typeof context.log;
  const settle = () => settlePayment(kernel.fork(), { ...context, log }, real, reference, 'operator');
  t.match(await settle(), { answer: 'sandbox', payment: { status: 'review', nextCheckAt: null } });
  t.match(told, [{ alert: 'sandbox', from: 'pending', to: 'review' }]);
  t.match(await settle(), { payment: { status: 'review' } });
  t.same(await days(), []);
  t.match(await sql(databaseUrl, `select detail->>'note' as note from payment_event where to_status = 'review'`), [{ note: 'sandbox' }]);
});
