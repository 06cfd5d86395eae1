import { spawnSync } from 'node:child_process';
import { Writable } from 'node:stream';
import t, { type Test } from 'tap';
import { call, submit, TestClock } from '../../../test/support/app.ts';
import { createTestDatabase } from '../../../test/support/database.ts';
import { createAdministrator, createLearner, createPrepa } from '../../../test/support/factories.ts';
import { sql } from '../../../test/support/sql.ts';
import { buildApp } from '../../app.ts';
import { loadConfig } from '../../config.ts';
import { createKernel } from '../../kernel.ts';
import { projectRoot } from '../settings/project-root.ts';
import { createLog, requestLogOf } from './log.ts';

/** Starts the application at the finest log level and returns its log. */
async function openLogged(t: Test) {
  const { url: databaseUrl } = await createTestDatabase(t);
  const config = loadConfig({
    NODE_ENV: 'test',
    SHED_LOAD: 'off',
    DATA_DIR: t.testdir({}),
    ZITOPAY_BASE_URL: 'http://127.0.0.1:9',
    ZITOPAY_TIMEOUT_MS: '200',
  });
  let written = '';
  const destination = new Writable({
    write(chunk, _encoding, done) {
      written += chunk;
      done();
    },
  });
  const kernel = await createKernel(config, { databaseUrl, clock: new TestClock(), log: createLog('trace', destination) });
  const app = await buildApp(kernel);
  t.teardown(async () => {
    await app.close();
    await kernel.close();
  });
  return {
    app,
    kernel,
    databaseUrl,
    clock: new TestClock(),
    lines: () =>
      written
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Record<string, unknown>),
    text: () => written,
  };
}

const person = { username: 'aicha_237', email: 'aicha.ngo@gmail.com', password: 'Concours-2026', confirmPassword: 'Concours-2026' };
const phone = '237699123456';

t.test('logs no secret of registrations, sign-ins, failures, payments and errors', async (t) => {
  const { app, databaseUrl, lines, text, ...home } = await openLogged(t);
  const registered = await call(app, { method: 'POST', url: '/api/users/register', payload: person });
  t.equal(registered.statusCode, 201);
  const { token } = registered.json();
  const session = `userToken=${token}`;
  await submit(app, '/api/users/register', { ...person, suite: '/user/prepa/1' });
  await call(app, { method: 'POST', url: '/api/users/login', payload: { email: person.email, password: 'Faux-987654' } });
  await call(app, { method: 'POST', url: `/api/users/login?email=${person.email}&token=${token}`, payload: { email: 1, password: [] } });
  await call(app, { url: '/api/users/verify', session, headers: { authorization: `Bearer ${token}` } });

  const prepa = await createPrepa(home);
  const started = await call(app, { method: 'POST', url: '/api/payment/start', session, payload: { prepaId: prepa.id } });
  t.equal(started.statusCode, 200);
  const { reference } = started.json();
  const notification = new URLSearchParams({ ref: reference, phone, payer: phone, email: person.email, token: 'jeton-du-prestataire' });
  for (const request of [
    { method: 'POST', url: '/api/payment/zitopay/notification', payload: notification.toString() },
    { method: 'GET', url: `/api/payment/zitopay/notification?${notification}` },
  ] as const) {
    const answer = await app.inject({ ...request, headers: { 'content-type': 'application/x-www-form-urlencoded' } });
    t.equal(answer.statusCode, 200);
  }
  await call(app, { method: 'POST', url: '/api/payment/process', session, payload: { transactionReference: reference, phone } });

  // Database errors whose messages contain values: a column that is too short, and a missing table.
  await sql(databaseUrl, `alter table app_user alter column email type varchar(30)`);
  const refused = { ...person, username: 'autre', email: `${'b'.repeat(40)}@gmail.com` };
  t.equal((await call(app, { method: 'POST', url: '/api/users/register', payload: refused })).statusCode, 500);
  await sql(databaseUrl, 'alter table session rename to session_away');
  t.equal((await call(app, { url: '/api/users/verify', session })).statusCode, 500);
  await app.close();

  t.ok(lines().filter(({ msg }) => msg === 'request').length >= 9, 'each request is logged in one line');
  t.ok(lines().some(({ msg }) => msg === 'request failed'));
  for (const secret of [
    ...[person.email, person.password, 'Faux-987654', token, phone, 'jeton-du-prestataire', refused.email, 'b'.repeat(40)],
    ...['userToken=', 'Bearer', 'argon2'],
  ]) {
    t.notMatch(text(), secret);
  }
});

t.test('a request is logged in one line with id, method, path, status and time, and the response has the same id', async (t) => {
  const { app, lines } = await openLogged(t);
  const answer = await app.inject('/api/prepas/published?secret=1');
  const [line] = lines().filter(({ msg }) => msg === 'request');
  t.match(line, { level: 'info', reqId: answer.headers['x-request-id'], method: 'GET', status: 200 });
  t.equal(line?.path, '/api/prepas/published', 'the path is logged without the query');
  t.type(line?.ms, 'number');
  t.notOk(line && 'url' in line);
  await app.inject('/healthz');
  t.match(
    lines()
      .filter(({ msg }) => msg === 'request')
      .slice(1),
    [{ level: 'debug', path: '/healthz' }],
    'health checks are logged at level debug only',
  );
});

t.test('the log line of a refusal has the network and the account', async (t) => {
  const { app, lines, ...home } = await openLogged(t);
  const learner = await createLearner(home);
  const administrator = await createAdministrator(home);
  const remoteAddress = '2001:db8:1:2:3:4:5:6';
  const network = '2001:db8:1:2::/64';
  await call(app, { url: '/api/users/verify', remoteAddress });
  await call(app, { method: 'POST', url: '/api/users/logout', session: learner.session, headers: { 'sec-fetch-site': 'cross-site' } });
  await call(app, { url: '/admin/administrateurs', session: administrator.session, remoteAddress });
  await call(app, { url: '/api/users/verify', session: learner.session, remoteAddress });
  const said = lines()
    .filter(({ msg }) => msg === 'request')
    .map(({ status, network, userId, administratorId }) => ({ status, network, userId, administratorId }));
  t.same(said, [
    { status: 401, network, userId: undefined, administratorId: undefined },
    { status: 403, network: '127.0.0.1', userId: undefined, administratorId: undefined },
    { status: 403, network, userId: undefined, administratorId: administrator.id },
    { status: 200, network: undefined, userId: undefined, administratorId: undefined },
  ]);
});

t.test('the content of a request cannot add a log line or a field', async (t) => {
  const { app, lines } = await openLogged(t);
  const forged = '"}\n{"level":"error","msg":"forged","status":200}\n';
  await app.inject({ url: `/${encodeURIComponent(forged)}`, headers: { 'user-agent': encodeURIComponent(forged) } });
  await app.inject({ url: `/absente${forged}\u2028`, headers: { authorization: 'Bearer x' } });
  t.notOk(lines().some(({ msg }) => msg === 'forged'));
  t.equal(lines().filter(({ msg }) => msg === 'request').length, 2);
});

t.test('a failure is logged with its code, its stack and the request id', async (t) => {
  const { app, lines, databaseUrl } = await openLogged(t);
  await sql(databaseUrl, 'alter table prepa rename to away');
  const answer = await app.inject('/api/prepas/published');
  const failure = lines().find(({ msg }) => msg === 'request failed');
  t.match(failure, { level: 'error', reqId: answer.headers['x-request-id'], err: { code: '42P01', message: 'database error' } });
  t.match(failure, { err: { stack: /^\s+at / } });
});

t.test("each line of a request's log has the request id, but no fields of other lines", async (t) => {
  const written: string[] = [];
  const log = createLog('info', { write: (line: string) => void written.push(line) });
  const own = requestLogOf(log, { reqId: 'r1' });
  own.warn({ alert: 'item-reads', learner: 7, password: 'a1' }, 'one');
  own.error({ err: new Error('away') }, 'two');
  own.child({ part: 'search', token: 'a1' }).info('three');
  log.info('four');
  own.info('five');
  const said = written.map((line) => JSON.parse(line)).map(({ time: _, err, ...rest }) => ({ ...rest, ...(err && { err: true }) }));
  t.strictSame(said, [
    { level: 'warn', reqId: 'r1', alert: 'item-reads', learner: 7, password: '[…]', msg: 'one' },
    { level: 'error', reqId: 'r1', msg: 'two', err: true },
    { level: 'info', part: 'search', token: '[…]', reqId: 'r1', msg: 'three' },
    { level: 'info', msg: 'four' },
    { level: 'info', reqId: 'r1', msg: 'five' },
  ]);
});

t.test('fields with secret names are redacted at every depth', async (t) => {
  const written: string[] = [];
  const log = createLog('info', { write: (line: string) => void written.push(line) });
  const secrets = { password: 'a1', token: 'a1', cookie: 'a1', authorization: 'a1', phone: 'a1', email: 'a1', adminKey1: 'a1' };
  log.info({ ...secrets, body: secrets, request: { headers: secrets } }, 'essai');
  t.notMatch(written.join(), 'a1');
  t.match(written.join(), 'essai');
});

t.test('buffers lines, but writes warnings at once', async (t) => {
  const written: string[] = [];
  const flushed: string[][] = [];
  const log = createLog('info', {
    write: (line: string) => void written.push(JSON.parse(line).msg),
    flush: () => void flushed.push([...written]),
  } as never);
  log.info('un');
  t.same(flushed, []);
  log.warn('deux');
  t.same(flushed, [['un', 'deux']]);
});

t.test('writes buffered lines when the process ends, for any reason', async (t) => {
  for (const end of ['process.exit(0)', '', 'throw new Error("fini")']) {
    const script = `const { createLog } = await import('./src/platform/observability/log.ts'); createLog('info').info('la dernière'); ${end}`;
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8', cwd: projectRoot });
    t.match(stdout, /"msg":"la dernière"\}\n$/, end);
  }
});

t.test('does not log the content of a thrown value that is no Error', async (t) => {
  const written: string[] = [];
  const log = createLog('info', { write: (line: string) => void written.push(line) });
  log.error({ err: { password: 'a1', detail: 'a1' } }, 'essai');
  log.error({ err: 'a1' }, 'essai');
  t.notMatch(written.join(), 'a1');
});
