import { setTimeout as wait } from 'node:timers/promises';
import { LockMode } from '@mikro-orm/core';
import t, { type Test } from 'tap';
import { startSimulator } from '../../../../simulators/zitopay/testing.ts';
import { TestClock } from '../../../../test/support/app.ts';
import { createTestDatabase } from '../../../../test/support/database.ts';
import { createLearner, createPrepa } from '../../../../test/support/factories.ts';
import { sql } from '../../../../test/support/sql.ts';
import { loadConfig } from '../../../config.ts';
import { createKernel } from '../../../kernel.ts';
import { listPayments } from '../../support/index.ts';
import { startPayment } from '../attempts/start.service.ts';
import { Payment } from '../ledger/payment.entity.ts';
import { storeNotification } from '../notifications/notification.service.ts';
import { reconcilePayments } from './reconcile.service.ts';

const minute = 60_000;

async function openKernel(t: Test, providerUrl: string, more: Record<string, string> = {}) {
  const { url: databaseUrl } = await createTestDatabase(t);
  const clock = new TestClock();
  const settings = { ZITOPAY_BASE_URL: providerUrl, ZITOPAY_RECEIVER: 'prepa', ...more };
  const kernel = await createKernel(loadConfig({ NODE_ENV: 'test', LOG_LEVEL: 'silent', ...settings }), { databaseUrl, clock });
  t.teardown(() => kernel.close());
  return { kernel, clock, databaseUrl };
}

async function openShop(t: Test, more: Record<string, string> = {}) {
  const simulator = await startSimulator(t as never);
  const home = await openKernel(t, simulator.url, more);
  const { kernel, databaseUrl } = home;
  const prepa = await createPrepa(home);
  return {
    ...home,
    simulator,
    start: async () => {
      const learner = await createLearner(home);
      const input = { learner, prepaId: prepa.id, origin: 'http://127.0.0.1:1' };
      const { payment, checkout } = await startPayment(kernel.fork(), kernel.context, kernel.providers, input);
      if (checkout.kind === 'widget') await simulator.control.register(checkout.options as never);
      return payment;
    },
    reconcile: (options = {}) => reconcilePayments(kernel.fork(), kernel.context, kernel.providers, options),
    notify: (reference: string) =>
      storeNotification(kernel.fork(), kernel.context, kernel.providers.default, { body: Buffer.from(`ref=${reference}`), headers: {} }),
    extensions: async () => (await sql(databaseUrl, 'select 1 from enrolment_extension')).length,
  };
}

const none = { checked: 0, succeeded: 0, failed: 0, pending: 0, refunded: 0, review: 0, unanswered: 0 };

t.test('due payments are checked on schedule', async (t) => {
  const { start, reconcile, clock, kernel } = await openShop(t);
  await start();
  t.strictSame(await reconcile(), none, 'no payment is due yet');
  const ages: number[] = [];
  for (let passed = 0; passed < 30; passed += 0.5) {
    if ((await reconcile()).checked > 0) ages.push(passed);
    clock.advance(minute / 2);
  }
  t.strictSame(ages, [1, 3, 6, 10, 20]);
  clock.advance(73 * 60 * minute);
  t.match(await reconcile(), { checked: 1, review: 1, pending: 0 });
  t.strictSame(await reconcile({ all: true }), none, 'a payment under review waits for an administrator');
  t.match(await listPayments(kernel.fork(), { status: 'review' }), [{ nextCheckAt: null }]);
});

t.test('all: a payment just approved is settled at once', async (t) => {
  const { start, reconcile, simulator, extensions } = await openShop(t);
  const paid = await start();
  const declined = await start();
  await start();
  await simulator.control.approve(paid.reference);
  await simulator.control.decline(declined.reference);
  t.strictSame(await reconcile({ all: true }), { ...none, checked: 3, succeeded: 1, failed: 1, pending: 1 });
  t.equal(await extensions(), 1);
  await simulator.control.approve(declined.reference);
  t.strictSame(
    await reconcile({ all: true }),
    { ...none, checked: 2, succeeded: 1, pending: 1 },
    'a declined payment that was paid later is found without a notification',
  );
  t.equal(await extensions(), 2);
});

t.test('fresh: due payments, and those younger than 10 minutes', async (t) => {
  const { start, reconcile, simulator, clock } = await openShop(t);
  const older = await start();
  clock.advance(10 * minute);
  t.match(await reconcile(), { checked: 1, pending: 1 });
  await simulator.control.approve(older.reference);
  await simulator.control.approve((await start()).reference);
  t.match(await reconcile(), { checked: 0 });
  t.match(await reconcile({ fresh: true }), { checked: 1, succeeded: 1 }, 'the older payment waits for its schedule');
});

t.test('a payment stays pending while its provider is down, and is settled afterwards', async (t) => {
  const { start, reconcile, simulator } = await openShop(t);
  const { reference } = await start();
  await simulator.control.approve(reference);
  await simulator.control.setKnobs({ verifyFaults: [{ kind: 'html', times: 3 }] });
  t.strictSame(await reconcile({ all: true }), { ...none, checked: 1, unanswered: 1 });
  t.match(await reconcile({ all: true }), { succeeded: 1 });
});

t.test('a run has a limit, reports progress, and checks no payment twice', async (t) => {
  const { start, reconcile, simulator } = await openShop(t);
  for (let count = 0; count < 7; count += 1) await simulator.control.approve((await start()).reference);
  const progress: number[] = [];
  t.match(await reconcile({ all: true, limit: 3, onProgress: ({ checked }: typeof none) => progress.push(checked) }), {
    checked: 3,
    succeeded: 3,
  });
  t.strictSame(progress, [1, 2, 3]);
  t.match(await reconcile({ all: true }), { checked: 4, succeeded: 4 });
});

t.test('concurrent runs claim different payments, and each enrolment is extended once', async (t) => {
  const { start, reconcile, simulator, extensions, clock } = await openShop(t);
  for (let count = 0; count < 30; count += 1) await simulator.control.approve((await start()).reference);
  clock.advance(minute);
  const runs = await Promise.all([reconcile(), reconcile(), reconcile()]);
  t.equal(
    runs.reduce((sum, { checked }) => sum + checked, 0),
    30,
  );
  t.equal(await extensions(), 30);
});

t.test('a locked payment is skipped, not waited for', async (t) => {
  const { start, reconcile, kernel } = await openShop(t);
  const held = await start();
  await start();
  await kernel.fork().transactional(async (em) => {
    await em.findOneOrFail(Payment, held.id, { lockMode: LockMode.PESSIMISTIC_WRITE });
    t.match(await reconcile({ all: true }), { checked: 1, pending: 1 }, 'the run skips the locked row');
  });
});

t.test('a crashed run only delays its payments', async (t) => {
  const { start, reconcile, simulator, clock, kernel } = await openShop(t);
  const { reference } = await start();
  await simulator.control.approve(reference);
  clock.advance(minute);
  const died = new Error('died');
  const providers = {
    ...kernel.providers,
    get: () => {
      throw died;
    },
  };
  const broken = await reconcilePayments(kernel.fork(), kernel.context, providers);
  t.match(broken, { checked: 1, unanswered: 1, succeeded: 0 });
  t.match(await reconcile(), { checked: 0 });
  clock.advance(2 * minute);
  t.match(await reconcile(), { checked: 1, succeeded: 1 });
});

t.test('a notification that arrived before its payment was known is processed', async (t) => {
  const { start, reconcile, notify, simulator, clock, databaseUrl } = await openShop(t);
  const processed = () => sql(databaseUrl, 'select payment_id, processed_at is not null as done from payment_notification order by id');
  await notify('ZP1');
  const later = await start();
  await notify(later.reference);
  await sql(databaseUrl, 'update payment_notification set payment_id = null');
  await simulator.control.approve(later.reference);
  await simulator.control.setKnobs({ verifyFaults: [{ kind: 'http500', times: 3 }] }, later.reference);

  t.match(await reconcile(), { checked: 1, unanswered: 1 }, 'the payment of the notification is checked before it is due');
  t.strictSame(await processed(), [
    { payment_id: null, done: false },
    { payment_id: later.id, done: false },
  ]);
  clock.advance(1000);
  t.strictSame(await reconcile(), none, 'a payment checked since the arrival is not checked again before its schedule');
  clock.advance(minute);
  t.match(await reconcile(), { checked: 1, succeeded: 1 });
  t.strictSame(await processed(), [
    { payment_id: null, done: false },
    { payment_id: later.id, done: true },
  ]);
  t.strictSame(await reconcile(), none);
});

t.test('reconciliation itself asks a failed provider again after the pause', async (t) => {
  const pause = 100;
  const { start, reconcile, simulator, kernel } = await openShop(t, {
    PAYMENT_PROVIDER_FAILURES: '3',
    PAYMENT_PROVIDER_PAUSE_MS: String(pause),
  });
  const { reference } = await start();
  await simulator.control.approve(reference);
  await simulator.control.setKnobs({ verifyFaults: [{ kind: 'http500', times: 3 }] });
  t.match(await reconcile({ all: true }), { checked: 1, unanswered: 1 });
  const [failing] = kernel.providers.health();
  t.match(failing, { slug: 'zitopay', failures: 3 });
  // The breaker measures its pause in real time.
  while (kernel.providers.health()[0]?.breaker === 'open') await wait(10);
  t.match(await reconcile({ all: true }), { checked: 1, succeeded: 1 });
  t.match(kernel.providers.health()[0], { breaker: 'closed' });
});

t.test('a flood of unknown notifications does not slow reconciliation', async (t) => {
  const { start, reconcile, simulator, databaseUrl, clock } = await openShop(t);
  const { reference } = await start();
  /**
   * Runs a pass with one due and paid payment. Returns the shortest time of five passes, in ms, since other work on the machine only
   * lengthens them.
   */
  const pass = async () => {
    const times: number[] = [];
    for (let count = 0; count < 5; count += 1) {
      await simulator.control.approve((await start()).reference);
      clock.advance(minute);
      const began = performance.now();
      t.match(await reconcile(), { succeeded: 1 });
      times.push(performance.now() - began);
    }
    return Math.min(...times);
  };
  await sql(
    databaseUrl,
    `insert into payment (provider, reference, user_id, prepa_id, prepa_nom, amount, status, created_at, updated_at)
     select provider, 'ZP' || n, user_id, prepa_id, prepa_nom, amount, 'failed', created_at, created_at from payment, generate_series(1, 10000) n`,
  );
  await sql(databaseUrl, `update payment set status = 'failed', next_check_at = null where reference = $1`, [reference]);
  await sql(databaseUrl, 'analyze');
  const quiet = await pass();
  await sql(
    databaseUrl,
    `insert into payment_notification (provider, reference, candidates, content_type, body, received_at)
     select 'zitopay', 'INCONNU' || n, jsonb_build_array('INCONNU' || n), '', '', $1 from generate_series(1, 3000) n`,
    [clock.now()],
  );
  const flooded = await pass();
  t.ok(flooded < 20 * quiet, `each by an index, not by reading every payment: ${Math.round(flooded / quiet)} times a quiet pass`);
});
