// Slow: it holds the event loop.
// Alone: it holds the event loop
import { availableParallelism } from 'node:os';
import { setImmediate as turn } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import t, { type Test } from 'tap';
import { call, createTestApp, submit, type TestApp, visit } from '../../../test/support/app.ts';
import { block } from '../../../test/support/block.ts';
import { createEnrolment, createLearner, createPayment, createPrepa } from '../../../test/support/factories.ts';
import { statementsDuring } from '../../../test/support/statements.ts';
import { maxWaiting, passwordQueue, verifyPassword } from '../../modules/identity/accounts/password.ts';

// Under overload, deferrable requests are refused first, then pages. Notifications of providers and work already begun are never refused.

const token = 'jeton-des-mesures';

async function open(t: Test, env: Record<string, string> = {}) {
  const home = await createTestApp(t, { SHED_LOAD: 'on', METRICS_TOKEN: token, ...env });
  const prepa = await createPrepa(home);
  const learner = await createLearner(home);
  await createEnrolment(home, learner, prepa);
  // The first request compiles the templates before the measurement.
  await visit(home.app, '/user/dashboard', learner.session);
  return { ...home, prepa, learner };
}

/** Blocks the event loop. Waits for two turns, so that the measurement's timer runs before the next request, as in a server. */
async function holdEventLoop(ms: number): Promise<void> {
  block(ms);
  await turn();
  await turn();
}

/** Takes all connections of the pool. @returns a function that releases them */
async function holdPool({ kernel }: TestApp) {
  const pool = await kernel.orm.em.getConnection().getNativeClient();
  const clients = await Promise.all(Array.from({ length: pool.options.max ?? 0 }, () => pool.connect()));
  const release = () => {
    for (const client of clients) client.release();
  };
  return { pool, release };
}

const search = '/user/recherche?q=texte';
const notify = ({ app }: TestApp, reference = 'inconnue') =>
  app.inject({
    method: 'POST',
    url: '/api/payment/zitopay/notification',
    payload: `ref=${reference}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });

t.test('with a blocked event loop, refuses a search with Retry-After and accepts a notification', async (t) => {
  const home = await open(t);
  const { app, learner } = home;
  await holdEventLoop(350);
  const refused = await visit(app, search, learner.session);
  t.equal(refused.statusCode, 503);
  t.match(refused.headers['retry-after'], /^([3-9]|10)$/);
  t.equal((await call(app, { url: '/api/users/notifications/unread', session: learner.session })).statusCode, 503);
  t.equal((await notify(home)).statusCode, 200);
  t.equal((await app.inject('/healthz')).statusCode, 200);
});

t.test('with an event loop blocked for longer, refuses pages too, but no payment request', async (t) => {
  const home = await open(t);
  const { app, learner, prepa } = home;
  await holdEventLoop(2_500);
  t.equal((await visit(app, '/user/dashboard', learner.session)).statusCode, 503);
  t.equal((await visit(app, '/')).statusCode, 503, 'pages of visitors are refused too');
  for (const url of ['/healthz', '/readyz', '/favicon.svg', '/success', '/api/payment/zitopay/notification?ref=inconnue'])
    t.not((await app.inject(url)).statusCode, 503, url);
  for (const url of [`/user/dashboard?payment_status=cancel&prepa_id=${prepa.id}`, `/user/dashboard/success/${prepa.id}`])
    t.not((await visit(app, url, learner.session)).statusCode, 503, url);
  const asked = await call(app, {
    method: 'POST',
    url: '/api/payment/process',
    session: learner.session,
    payload: { transactionReference: 'x' },
  });
  t.not(asked.statusCode, 503);
});

t.test('with an exhausted pool, refuses a search without a statement and answers accepted requests', async (t) => {
  const home = await open(t);
  const { app, learner } = home;
  const payment = await createPayment(home, learner, home.prepa, 'pending');
  const { pool, release } = await holdPool(home);
  const page = visit(app, '/user/paiements', learner.session);
  while (pool.waitingCount < 1) await turn();
  const notified = notify(home, payment.reference);
  while (pool.waitingCount < 2) await turn();
  const others = Array.from({ length: 9 }, () => pool.connect().then((client) => client.release()));
  const sent = await statementsDuring(async () => {
    t.equal((await visit(app, search, learner.session)).statusCode, 503);
  });
  t.same(sent, []);
  t.equal(pool.waitingCount, 11, 'the refused search does not wait for a connection');
  release();
  t.equal((await page).statusCode, 200);
  t.equal((await notified).statusCode, 200);
  await Promise.all(others);
  let answer = await visit(app, search, learner.session);
  // The overload ends a moment later: repeats the search until it is accepted.
  while (answer.statusCode !== 200) {
    await turn();
    answer = await visit(app, search, learner.session);
  }
  t.match(answer.body, 'Recherche : texte');
});

t.test('a refusal is in French, has Retry-After and no personal content', async (t) => {
  const { app, learner } = await open(t);
  await holdEventLoop(2_500);
  const page = await visit(app, '/user/dashboard', learner.session);
  t.match(page.headers, { 'content-type': /^text\/html/, 'cache-control': 'no-store', 'content-security-policy': /default-src 'none'/ });
  t.match(page.body, /<h1>Beaucoup de monde en ce moment<\/h1>[\s\S]*<a class="button" href="">Réessayer<\/a>/);
  t.notMatch(page.body, learner.username);
  t.equal(page.headers['set-cookie'], undefined);
  const compressed = await app.inject({ url: '/', headers: { accept: 'text/html', 'accept-encoding': 'gzip, br' } });
  t.equal(gunzipSync(compressed.rawPayload).toString(), page.body);
  const answer = await call(app, { url: '/api/users/notifications', session: learner.session });
  t.equal(answer.statusCode, 503);
  t.match(answer.headers['retry-after'], /^\d+$/);
  t.same(answer.json(), { message: 'Beaucoup de candidats sont là en ce moment. Réessayez dans quelques secondes.' });
});

t.test('with a full password queue, refuses a sign-in before reading it, and the form keeps the typed values', async (t) => {
  const home = await open(t);
  const { app, learner } = home;
  let over = false;
  const keepBusy = async () => {
    while (!over) await verifyPassword(null, 'x').catch(() => turn());
  };
  const busy = Promise.all(Array.from({ length: maxWaiting + availableParallelism() }, keepBusy));
  while (!passwordQueue.isFull()) await turn();
  const signIn = (url: string, payload: string) =>
    app.inject({
      method: 'POST',
      url,
      payload,
      headers: { 'content-type': 'application/json', accept: 'application/json', 'sec-fetch-site': 'same-origin' },
    });
  for (const url of ['/api/users/login', '/users/login', '/api/admin/login', '/admin/login']) {
    const { length } = await statementsDuring(async () => {
      const refused = await signIn(url, '{ not JSON');
      t.equal(refused.statusCode, 503, url);
      t.match(refused.json().message, /se connectent en ce moment/);
      t.match(refused.headers['retry-after'], /^([3-9]|10)$/);
    });
    t.equal(length, 0, 'a refused sign-in runs no statement');
  }
  const form = await submit(app, '/api/users/login', { email: learner.email, password: 'Concours-2026' });
  t.equal(form.statusCode, 503);
  t.ok(form.body.includes(learner.email), 'the form shows the typed values');
  over = true;
  await busy;
  t.equal((await signIn('/api/users/login', '{ not JSON')).statusCode, 400, 'later requests are read again');
  const { body } = await app.inject({ url: '/metrics', headers: { authorization: `Bearer ${token}` } });
  t.match(body, /prepa_requests_refused_total\{class="essential",reason="queue"\} 4/);
});

t.test('counts refusals and logs them in one line', async (t) => {
  const lines: { msg: string; refused?: object; alert?: string }[] = [];
  const home = await open(t);
  const { app, learner } = home;
  const { log } = app;
  log.warn = ((fields: object, msg: string) => void lines.push({ ...fields, msg })) as typeof log.warn;
  await holdEventLoop(350);
  for (let time = 0; time < 3; time += 1) await visit(app, search, learner.session);
  const read = await app.inject({ url: '/metrics', headers: { authorization: `Bearer ${token}` } });
  t.match(read.body, 'prepa_requests_refused_total{class="deferrable",reason="delayMs"} 3');
  t.match(read.body, /prepa_event_loop_wait_seconds 0\.\d+/);
  t.match(read.body, 'prepa_database_pool_waiting 0');
  await app.close();
  t.match(lines, [{ alert: 'overload', refused: { deferrable: 3 }, msg: 'more requests than can be answered in time' }]);
  t.equal(lines.length, 1);
});

t.test('answered requests are no longer under way', async (t) => {
  const { app, learner } = await open(t);
  for (let time = 0; time < 5; time += 1) await visit(app, '/user/dashboard', learner.session);
  const read = await app.inject({ url: '/metrics', headers: { authorization: `Bearer ${token}` } });
  t.match(read.body, 'prepa_requests_under_way 0');
});
