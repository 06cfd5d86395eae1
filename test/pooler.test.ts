import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { startSimulator } from '../simulators/zitopay/testing.ts';
import { type PoolerAdvice, poolerAdvice } from '../src/platform/database/pooler-advice.ts';
import { projectRoot } from '../src/platform/settings/project-root.ts';
import { call, createTestApp, visit } from './support/app.ts';
import { createTestDatabase } from './support/database.ts';
import { createDiscipline, createItem, createLearner, createPrepa } from './support/factories.ts';
import { findPgbouncer, missingPgbouncer, type Pgbouncer, startPgbouncer } from './support/pgbouncer.ts';
import { startProcess } from './support/process.ts';
import { sql } from './support/sql.ts';
import { asRole, testUsers } from './support/template.ts';
import { runPrepa } from './support/terminal.ts';
import { siteAddress } from './support/topology.ts';

// The site behind PgBouncer in transaction mode: successive requests of two clients may share a session, and two requests of one client may
// use different sessions.

const found = await findPgbouncer();
const skip = found ? false : missingPgbouncer;
const pgbouncer = found as Pgbouncer;
const server = new URL(process.env.TEST_DATABASE_URL ?? '');
const folder = mkdtempSync(join(tmpdir(), 'prepa-pooler-'));
t.teardown(() => rmSync(folder, { recursive: true, force: true }));
let started = 0;

/** Starts a PgBouncer for a test. */
async function pooled(settings: Record<string, string> = {}): Promise<string> {
  started += 1;
  const users = testUsers(server.href);
  const { host, close } = await startPgbouncer(pgbouncer, { server: server.host, users, folder: join(folder, String(started)), settings });
  t.teardown(close);
  return host;
}

/** Settings that make a later PgBouncer behave like one before 1.21. */
const losingNames = (): Record<string, string> => (pgbouncer.knowsNames ? { max_prepared_statements: '0' } : {});

/** Opens a site behind PgBouncer, with a learner. */
async function openSite(databaseHost: string, namedStatements: 'on' | 'off') {
  const simulator = await startSimulator(t as never);
  const env = { ZITOPAY_BASE_URL: simulator.url, ZITOPAY_RECEIVER: 'prepa', DATABASE_NAMED_STATEMENTS: namedStatements };
  const home = await createTestApp(t, env, null, { databaseHost });
  const prepa = await createPrepa(home);
  const discipline = await createDiscipline(home, prepa.id);
  const item = await createItem(home, discipline.id);
  const { session } = await createLearner(home);
  const study = `/user/prepa/${prepa.id}/${discipline.id}`;
  const look = async (url: string) => (await visit(home.app, url, session)).statusCode;
  return {
    ...home,
    look,
    study,
    lookAtOnce: () =>
      Promise.all(['/', '/user/dashboard', '/user/preparations', study].flatMap((url) => [1, 2, 3, 4, 5].map(() => look(url)))),
    post: (url: string, payload: object = {}) => call(home.app, { method: 'POST', url, payload, session }),
    prepa,
    item,
    simulator,
  };
}

const twenty = Array.from({ length: 20 }, () => 200);

async function payStudyAndMark(t: Test, site: Awaited<ReturnType<typeof openSite>>): Promise<void> {
  const { look, study, lookAtOnce, post, prepa, item, simulator, databaseUrl } = site;
  t.equal(await look('/user/dashboard'), 200);
  const { reference, amount, currency } = (await post('/api/payment/start', { prepaId: prepa.id })).json();
  await simulator.control.register({ receiver: 'prepa', ref: reference, amount, currency });
  await simulator.control.approve(reference);
  t.equal((await post('/api/payment/process', { transactionReference: reference })).statusCode, 200);
  t.equal(await look(study), 200);
  t.equal((await post(`/api/items/${item.id}/termine`)).statusCode, 204);
  t.equal((await post('/api/users/login', { email: 'inconnue@gmail.com', password: 'Faux-2026!' })).statusCode, 401);
  t.same(await lookAtOnce(), twenty);
  const kept = await sql(databaseUrl, 'select p.status, r.finished_at is not null as finished from payment p, item_reading r');
  t.same(kept, [{ status: 'succeeded', finished: true }]);
  const shared = `select from pg_stat_activity where datname = current_database() and usename = 'prepa_web'`;
  t.equal((await sql(databaseUrl, shared)).length, 2, 'twenty at once over two sessions of PostgreSQL');
}

t.test('without named statements a learner pays, studies and marks', { skip }, async (t) => {
  await payStudyAndMark(t, await openSite(await pooled({ ...losingNames(), default_pool_size: '2' }), 'off'));
});

t.test('with named statements and a pooler that loses them, requests fail', { skip }, async (t) => {
  const { lookAtOnce } = await openSite(await pooled({ ...losingNames(), default_pool_size: '2' }), 'on');
  const answers = await lookAtOnce();
  t.ok(answers.includes(500), answers.join(', '));
});

const skipKnown = skip || (pgbouncer.knowsNames ? false : 'PgBouncer 1.21 at least is missing');

t.test('with named statements and a pooler that supports them, a learner pays, studies and marks', { skip: skipKnown }, async (t) => {
  await payStudyAndMark(t, await openSite(await pooled({ default_pool_size: '2' }), 'on'));
});

t.test('advice for each pooler, with the statement that fixes the fault', { skip }, async (t) => {
  const { url } = await createTestDatabase(t);
  const advice = async (settings: Record<string, string>, namedStatements: boolean): Promise<PoolerAdvice> =>
    poolerAdvice(siteAddress(asRole(url, 'web'), await pooled(settings)), { namedStatements, timeoutMs: 10_000 });
  const loses = /^il perd les instructions nommées : réglez DATABASE_NAMED_STATEMENTS=off/;

  const old = await advice(losingNames(), true);
  t.equal(old.found, 'un pooler de connexions en mode transaction (stats_users de PgBouncer dit qui peut lire sa version)');
  t.match(old.faults, [loses]);
  t.match(await advice({ ...losingNames(), stats_users: 'prepa_web' }, true), {
    found: `PgBouncer ${pgbouncer.version} en mode transaction`,
    faults: [loses],
  });
  t.same((await advice(losingNames(), false)).faults, [], 'without named statements there is no fault');
  for (const sessions of ['1', '2', '3'])
    t.match(await advice({ default_pool_size: sessions }, false), { found: /en mode transaction/ }, `with ${sessions} sessions`);
  t.match(await advice({ pool_mode: 'session' }, true), { found: /en mode session/, faults: [] });
  t.match((await advice({ pool_mode: 'statement' }, false)).faults, ['ce mode refuse les transactions : réglez pool_mode = transaction']);
  const strict = await advice({ ...losingNames(), ignore_startup_parameters: 'extra_float_digits' }, false);
  t.match(strict.faults, [/ignore_startup_parameters = statement_timeout,idle_in_transaction_session_timeout,options$/]);
  if (pgbouncer.knowsNames) t.match((await advice({}, false)).hints, [/^ce pooler connaît les instructions nommées/]);
  t.same(await poolerAdvice(asRole(url, 'web'), { namedStatements: true, timeoutMs: 10_000 }), {
    found: null,
    faults: [],
    hints: [],
  });

  await t.test('limits that the pooler drops: the suggested statements set them on the role', async (t) => {
    const [hint = ''] = (await advice(losingNames(), false)).hints;
    const [, statements] = /« (alter role .+;) », puis RECONNECT/.exec(hint) ?? [];
    await sql(url, statements ?? `raise '${hint}'`);
    t.same(await advice(losingNames(), false), { found: old.found, faults: [], hints: [] });
    const shown = await sql(siteAddress(asRole(url, 'web'), await pooled()), 'select current_setting($1) as limit', ['statement_timeout']);
    t.same(shown, [{ limit: '10s' }]);
  });
});

t.test('a production server that cannot work through the pooler logs the reason', { skip }, async (t) => {
  const { url } = await createTestDatabase(t);
  const host = await pooled({ ...losingNames(), ignore_startup_parameters: 'extra_float_digits' });
  const env = {
    NODE_ENV: 'production',
    PORT: '0',
    DATA_DIR: join(folder, 'server'),
    DATABASE_URL: siteAddress(asRole(url, 'web'), host),
    PUBLIC_URL: 'https://prepa.example',
    ZITOPAY_RECEIVER: 'prepa',
    ZITOPAY_BASE_URL: 'https://zitopay.invalid',
    RECONCILE_PAYMENTS: 'off',
    PUBLISH_DRAFTS: 'off',
  };
  const ready =
    /"pooler":"un pooler de connexions en mode transaction[^"]*","faults":\["il perd les instructions nommées[^"]*","Le pooler [^"]*refuse [^"]*ignore_startup_parameters/;
  const server = await startProcess(t, join(projectRoot, 'dist/server/server.js'), { env, cwd: tmpdir(), ready });
  t.match(server.ready?.[0], 'DATABASE_NAMED_STATEMENTS=off');
});

t.test('the terminal behind a pooler', { skip }, async (t) => {
  const { url } = await createTestDatabase(t);
  const host = await pooled({ ...losingNames(), default_pool_size: '2' });
  const through = (address: string) => siteAddress(address, host);
  const [web, commands] = [asRole(url, 'web'), asRole(url, 'commands')];
  const env = { NODE_ENV: 'test', DATA_DIR: join(folder, 'data'), DATABASE_NAMED_STATEMENTS: 'off', ZITOPAY_RECEIVER: 'prepa' };
  const allPooled = { ...env, DATABASE_URL: through(web), COMMANDS_DATABASE_URL: through(commands), MIGRATIONS_DATABASE_URL: through(url) };
  const direct = { ...allPooled, COMMANDS_DATABASE_URL: commands, MIGRATIONS_DATABASE_URL: url };

  await t.test('commands that need their own session refuse, and name the setting for a direct connection', async (t) => {
    const { file } = JSON.parse((await runPrepa(['backup', join(folder, 'kept'), '--json'], direct)).out) as { file: string };
    for (const args of [
      ['db', 'migrate'],
      ['db', 'roles'],
      ['backup', join(folder, 'kept')],
      ['restore', file, '--overwrite'],
      ['restore', file, '--verify'],
    ]) {
      const run = await runPrepa(args, allPooled);
      t.equal(run.code, 1, args.join(' '));
      t.match(
        run.error,
        /mène à un pooler de connexions en mode transaction, .+ COMMANDS_DATABASE_URL .+ MIGRATIONS_DATABASE_URL .+ Rien n'a été changé\.\n$/,
      );
    }
    t.not((await sql(url, 'select from migration')).length, 0, 'the refused commands leave the database unchanged');
  });

  await t.test('commands that need none work', async (t) => {
    for (const args of [['db', 'status'], ['payments', 'reconcile'], ['prune']])
      t.match(await runPrepa(args, allPooled), { code: 0, error: '' }, args.join(' '));
  });

  await t.test('doctor', async (t) => {
    const checks = async (settings: Record<string, string>) => {
      const { checks: said } = JSON.parse((await runPrepa(['doctor', '--json'], settings)).out) as {
        checks: { name: string; ok: boolean; warning?: boolean }[];
      };
      return said
        .filter(({ name }) => /pooler|DATABASE_URL/i.test(name))
        .map(({ name, ok, warning = false }) => `${name}: ${ok ? (warning ? 'warning' : 'ok') : 'fault'}`);
    };
    // The server-side limits must be set on the role.
    t.same(await checks(direct), ['Pooler de connexions: warning']);
    t.same(await checks({ ...direct, DATABASE_NAMED_STATEMENTS: 'on' }), ['Pooler de connexions: fault']);
    t.same(await checks({ ...direct, MIGRATIONS_DATABASE_URL: '' }), ['Pooler de connexions: warning', 'MIGRATIONS_DATABASE_URL: warning']);
    t.same(await checks({ ...direct, COMMANDS_DATABASE_URL: '' }), ['Pooler de connexions: warning', 'COMMANDS_DATABASE_URL: fault']);
    t.same(await checks({ ...direct, DATABASE_URL: web, DATABASE_NAMED_STATEMENTS: 'on' }), [], 'DATABASE_URL leads to no pooler');
    t.same(await checks({ ...direct, DATABASE_URL: web }), ['Pooler de connexions: warning'], 'named statements are off without need');
    // More connections than PostgreSQL allows, which is the purpose of a pooler.
    const many = { ...direct, WEB_PROCESSES: '64' };
    t.match((await runPrepa(['doctor'], many)).out, /^ok {5}Connexions à la base : /m);
    t.match((await runPrepa(['doctor'], { ...many, DATABASE_URL: web })).out, /^FAUTE {2}Connexions à la base : .* jusqu'à 640 : /m);
    t.match(
      (await runPrepa(['doctor'], { ...direct, COMMANDS_DATABASE_URL: '' })).out,
      /^FAUTE {2}COMMANDS_DATABASE_URL : n'est pas réglé, et DATABASE_URL mène à .+ en mode transaction, où les sauvegardes sont refusées : /m,
    );
  });
});
