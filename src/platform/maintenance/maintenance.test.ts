import t from 'tap';
import { call, createTestApp, submit, visit } from '../../../test/support/app.ts';
import { createAdministrator, createLearner, createPrepa } from '../../../test/support/factories.ts';
import { createNetworkPath } from '../../../test/support/network-path.ts';
import { sql } from '../../../test/support/sql.ts';
import { statementsDuring } from '../../../test/support/statements.ts';
import { runPrepa } from '../../../test/support/terminal.ts';
import { withoutReplicas } from '../../../test/support/topology.ts';
import { createWorld } from '../../../test/support/world.ts';

// An operator closes and reopens the site: visitors get one sentence, and payments already begun are still completed.

const home = await createTestApp(t);
const { app, databaseUrl } = home;
const learner = await createLearner(home);
const administrator = await createAdministrator(home, 'super_admin');
const prepa = await createPrepa(home);
const terminal = { NODE_ENV: 'test', DATA_DIR: t.testdir({}), DATABASE_URL: databaseUrl };
const prepaCommand = (...args: string[]) => runPrepa(['maintenance', ...args], terminal);
const sentence = 'Nous changeons de serveur ce soir.';

/** A payment that was begun before the maintenance. */
const started = await call(app, { method: 'POST', url: '/api/payment/start', session: learner.session, payload: { prepaId: prepa.id } });
const { reference } = started.json() as { reference: string };

t.test('the site is open', async (t) => {
  t.equal((await prepaCommand('status')).out, 'Le site est ouvert.\n');
  t.match((await prepaCommand('off')).out, "Le site n'était pas fermé.");
  t.equal((await prepaCommand('on', '--until', '2020-01-01')).code, 2);
  t.equal((await prepaCommand('on', '--message', 'x'.repeat(301))).code, 2);
  await app.lookForMaintenance();
  t.equal((await visit(app, '/')).statusCode, 200);
});

t.test('closed: sends visitors one sentence, as HTML or JSON, without a database statement', async (t) => {
  const until = new Date(home.clock.now().getTime() + 30 * 60_000);
  t.equal((await prepaCommand('on', '--message', sentence, '--until', until.toISOString())).code, 0);
  await app.lookForMaintenance();
  for (const [url, session] of [
    ['/', undefined],
    ['/user/dashboard', learner.session],
  ] as const) {
    const statements = await statementsDuring(async () => {
      const page = await visit(app, url, session);
      t.equal(page.statusCode, 503, url);
      t.match(page.body, sentence);
      t.match(page.body, /Retour prévu le .+\d{2}:\d{2}/);
      t.notMatch(page.body, learner.username, 'the page contains no data of the learner');
      t.notOk(page.headers['set-cookie']);
      t.equal(page.headers['cache-control'], 'no-store');
      const wait = Number(page.headers['retry-after']);
      t.ok(wait > 29 * 60 && wait < 31 * 60 + 30, `${wait}`);
    });
    t.same(statements, []);
  }
  const refused = await call(app, { url: '/api/users/verify', session: learner.session });
  t.equal(refused.statusCode, 503);
  t.match(refused.json(), { message: new RegExp(sentence) });
  t.equal((await submit(app, '/api/users/login', { email: learner.email, password: 'Faux-987654' })).statusCode, 503);
});

t.test('serves notifications of providers and returns from a payment during maintenance', async (t) => {
  const notified = await app.inject({ method: 'GET', url: `/api/payment/zitopay/notification?ref=${reference}` });
  t.equal(notified.statusCode, 200);
  t.equal((await sql(databaseUrl, 'select id from payment_notification')).length, 1, 'the notification is stored');
  const back = await visit(app, `/success?ref=${reference}`);
  t.equal(back.statusCode, 303);
  t.match(back.headers.location, `prepa_id=${prepa.id}`, 'the payment is recognised');
  const onward = await visit(app, String(back.headers.location), learner.session);
  t.equal(onward.headers.location, `/user/dashboard/success/${prepa.id}`, 'the return redirects to the result page');
  t.equal((await visit(app, '/user/dashboard?paiement=1', learner.session)).statusCode, 503, 'the dashboard is closed');
  t.not((await visit(app, `/user/dashboard/success/${prepa.id}`, learner.session)).statusCode, 503, 'the result page is open');
});

t.test('the administration stays open, and probes report the maintenance', async (t) => {
  t.equal((await visit(app, '/admin/paiements', administrator.session)).statusCode, 200);
  t.equal((await visit(app, '/admin', administrator.session)).statusCode, 303);
  t.equal((await visit(app, '/healthz')).statusCode, 200);
  const ready = await visit(app, '/readyz');
  t.same([ready.statusCode, ready.json()], [200, { status: 'ok', maintenance: true }]);
  t.match(
    (await prepaCommand('status')).out,
    new RegExp(`^Le site est fermé depuis le .+, jusqu'au .+ environ\\.\nAux visiteurs : ${sentence}`),
  );
});

t.test('an expected end that has passed is no longer shown', async (t) => {
  home.clock.advance(31 * 60_000);
  await app.lookForMaintenance();
  const page = await visit(app, '/');
  t.equal(page.statusCode, 503);
  t.match(page.body, sentence);
  t.notMatch(page.body, 'Retour prévu');
});

t.test('a server started during maintenance knows the state before its first response', async (t) => {
  const world = await createWorld(t);
  await world.prepa('maintenance', 'on');
  const path = await createNetworkPath(t, String(world.env.DATABASE_URL));
  path.setConditions({ delayMs: [100, 100] });
  const server = await world.startServer({ DATABASE_URL: path.url, ...withoutReplicas });
  t.equal((await fetch(server.url)).status, 503);
  await server.stop();
});

t.test('keeps the state while the database is unreachable, and maintenance off opens the site', async (t) => {
  await sql(databaseUrl, 'alter table site_state rename to away');
  await t.rejects(app.lookForMaintenance());
  t.equal((await visit(app, '/')).statusCode, 503);
  await sql(databaseUrl, 'alter table away rename to site_state');
  t.match((await prepaCommand('off')).out, 'rouvert');
  await app.lookForMaintenance();
  t.equal((await visit(app, '/')).statusCode, 200);
  t.same((await visit(app, '/readyz')).json(), { status: 'ok' });
});
