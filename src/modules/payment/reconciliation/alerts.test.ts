import { Writable } from 'node:stream';
import t, { type Test } from 'tap';
import { createTestApp, visit } from '../../../../test/support/app.ts';
import { createLearner, createPayment, createPrepa } from '../../../../test/support/factories.ts';
import { sql } from '../../../../test/support/sql.ts';
import { createLog } from '../../../platform/observability/log.ts';
import { createAlerts, paymentHealth } from './alerts.ts';
import { watchPayments } from './reconcile-loop.ts';

const minute = 60_000;
const token = 'a-token-of-the-test';

async function openOffice(t: Test) {
  const home = await createTestApp(t, { METRICS_TOKEN: token });
  const [learner, prepa] = await Promise.all([createLearner(home), createPrepa(home)]);
  const lines: Record<string, unknown>[] = [];
  const output = new Writable({
    write(line, _encoding, done) {
      lines.push(JSON.parse(String(line)));
      done();
    },
  });
  const log = createLog('info', output);
  return {
    ...home,
    lines,
    context: { ...home.kernel.context, log },
    pay: (status: Parameters<typeof createPayment>[3]) => createPayment(home, learner, prepa, status),
    unknownNotification: () =>
      sql(
        home.databaseUrl,
        `insert into payment_notification (provider, reference, candidates, content_type, body, received_at) values ('zitopay', 'ZP1', '["ZP1"]', '', '', $1)`,
        [home.clock.now()],
      ),
    metrics: (authorization = `Bearer ${token}`) => home.app.inject({ url: '/metrics', headers: { authorization } }),
  };
}

t.test('alerts are counted in one statement and logged when they change', async (t) => {
  const { kernel, clock, pay, unknownNotification, context, lines, databaseUrl, metrics } = await openOffice(t);
  const none = { oldPending: 0, oldestPendingSeconds: 0, inReview: 0, partlyRefunded: 0, overdue: 0, unknownNotifications: 0 };
  t.same(await paymentHealth(kernel.fork(), clock.now()), none);
  await pay('pending');
  await pay('review');
  await pay('succeeded');
  await pay('failed');
  await sql(databaseUrl, `update payment set next_check_at = created_at where status = 'pending'`);
  await unknownNotification();
  clock.advance(31 * minute);
  const { fork } = kernel;
  const alerts = createAlerts();
  t.same(await alerts.look(fork(), context), {
    oldPending: 1,
    oldestPendingSeconds: 31 * 60,
    inReview: 1,
    partlyRefunded: 0,
    overdue: 1,
    unknownNotifications: 1,
  });
  t.same(
    lines.map(({ alert, count, level }) => [level, alert, count]),
    [
      ['warn', 'old-pending', 1],
      ['warn', 'review', 1],
      ['warn', 'overdue', 1],
      ['warn', 'unknown-notifications', 1],
    ],
  );
  lines.length = 0;
  await alerts.look(fork(), context);
  t.same(lines, [], 'unchanged numbers are not logged');
  await sql(databaseUrl, `update payment set status = 'failed', next_check_at = null where status = 'pending'`);
  await alerts.look(fork(), context);
  t.same(
    lines.map(({ alert, count, level }) => [level, alert, count]),
    [
      ['info', 'old-pending', 0],
      ['info', 'overdue', 0],
    ],
  );
  const { body } = await metrics();
  for (const line of ['prepa_payments_in_review 1', 'prepa_payments_old_pending 0', 'prepa_payments_unknown_notifications 1'])
    t.ok(body.split('\n').includes(line), line);
});

t.test('the counts are exported as metrics, and only requests with the token can read them', async (t) => {
  const { app, pay, metrics } = await openOffice(t);
  await pay('review');
  await app.inject({ method: 'POST', url: '/api/payment/zitopay/notification', payload: 'ref=ZP7' });
  const answer = await metrics();
  t.equal(answer.statusCode, 200);
  t.match(answer.headers['content-type'], /^text\/plain/);
  t.match(answer.body, 'prepa_payments_in_review 1');
  t.match(answer.body, 'prepa_payments_old_pending 0');
  t.match(answer.body, 'prepa_payment_provider_breaker{provider="zitopay"} 0');
  t.match(answer.body, /prepa_payment_notifications_total\{provider="zitopay",outcome="unknown"\} \d+/);
  for (const wrong of ['', 'Bearer ', `Bearer ${token}x`, token]) t.equal((await metrics(wrong)).statusCode, 404, JSON.stringify(wrong));
});

t.test('without the token setting, metrics cannot be read', async (t) => {
  const { app } = await createTestApp(t);
  t.equal((await visit(app, '/metrics')).statusCode, 404);
});

t.test('the loop continues after a failed pass, and ends on its signal', async (t) => {
  const { kernel, context, lines, pay, databaseUrl, clock } = await openOffice(t);
  const { reference } = await pay('review');
  const stop = new AbortController();
  let passes = 0;
  let broken = true;
  const fork = () => {
    if (broken) {
      broken = false;
      throw new Error('the database restarts');
    }
    return kernel.fork();
  };
  await watchPayments(fork, context, kernel.providers, {
    everyMs: 1,
    signal: stop.signal,
    onPass: () => {
      passes += 1;
      if (passes === 2) stop.abort();
    },
  });
  t.equal(passes, 2);
  t.match(lines[0], { level: 'error', alert: 'reconciliation' });
  t.match(lines[1], { level: 'warn', alert: 'review', count: 1 });
  t.equal(lines.length, 2);
  t.same(await sql(databaseUrl, 'select status from payment where reference = $1', [reference]), [{ status: 'review' }]);
  t.ok(clock.now());
});

t.test('a failing database removes only its own figures', async (t) => {
  const { databaseUrl, metrics } = await openOffice(t);
  t.match((await metrics()).body, /^prepa_payments_overdue 0$/m);
  await sql(databaseUrl, 'alter table payment_notification rename to gone');
  const broken = await metrics();
  t.equal(broken.statusCode, 200);
  t.notMatch(broken.body, /^prepa_payments_\w+ /m);
  t.match(broken.body, /^prepa_payment_provider_breaker\{provider="zitopay"\} 0$/m);
  await sql(databaseUrl, 'alter table gone rename to payment_notification');
  t.match((await metrics()).body, /^prepa_payments_overdue 0$/m);
});
