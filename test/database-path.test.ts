// Slow: it waits for connections to time out.
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import t from 'tap';
import { projectRoot } from '../src/platform/settings/project-root.ts';
import { createLearner, createPrepa } from './support/factories.ts';
import { createNetworkPath, type NetworkPath } from './support/network-path.ts';
import { startProcess } from './support/process.ts';
import { seeded } from './support/random.ts';
import { holding, sql, untilBlocked } from './support/sql.ts';
import { withoutReplicas } from './support/topology.ts';
import { createWorld, type Server } from './support/world.ts';

/** More requests than a process has database connections. */
const many = 24;
const unavailable = { message: 'Le service est momentanément indisponible. Réessayez dans un instant.' };

// A single web process with a single database: the tests break this process's connections, and a request must use them.
const world = await createWorld(t, { env: { WEB_PROCESSES: '1', ...withoutReplicas } });
const { session } = await createLearner(world);

let behindPath: Promise<{ path: NetworkPath; server: Server }> | undefined;
/** Starts a server with a breakable path to the database, shared by the tests that leave both intact. */
function serverBehindPath() {
  behindPath ??= (async () => {
    const path = await createNetworkPath(t, world.databaseUrl, seeded(7));
    return { path, server: await world.startServer({ DATABASE_URL: path.url, DATABASE_TIMEOUT_MS: '5000' }) };
  })();
  return behindPath;
}

/** Requests a page and an API route alternately, `many` times; returns the distinct status codes. */
async function statusCodes({ url }: Server): Promise<number[]> {
  const asked = Array.from({ length: many }, async (_, number) => {
    const headers = { cookie: session, accept: number % 2 === 0 ? 'text/html' : 'application/json' };
    const path = number % 2 === 0 ? '/user/dashboard' : '/api/prepas/published';
    const answer = await fetch(`${url}${path}`, { headers, signal: AbortSignal.timeout(20_000) });
    await answer.arrayBuffer();
    return answer.status;
  });
  return [...new Set(await Promise.all(asked))];
}

/** Returns the result of `work`, or a message when it takes longer than `ms`. */
const within = <Result>(ms: number, work: Promise<Result>): Promise<Result | string> =>
  Promise.race([work, wait(ms, 'still running', { ref: false })]);

t.test('a lost network path: 503 meanwhile, and recovery without a restart', async (t) => {
  const path = await createNetworkPath(t, world.databaseUrl);
  const server = await world.startServer({ DATABASE_URL: path.url, DATABASE_TIMEOUT_MS: '1000' });
  t.same(await statusCodes(server), [200]);
  const ready = async () => (await fetch(`${server.url}/readyz`, { signal: AbortSignal.timeout(20_000) })).status;

  for (const outage of [1, 2]) {
    path.cut();
    t.same(await statusCodes(server), [503], `outage ${outage}`);
    t.same(await statusCodes(server), [503], '503 also after the earlier connections have been closed');
    t.equal(await ready(), 503);
    t.equal((await fetch(`${server.url}/healthz`)).status, 200, 'the process itself is well');
    const call = await fetch(`${server.url}/api/prepas/published`);
    t.same([call.headers.get('retry-after'), await call.json()], ['5', unavailable]);
    const page = await (await fetch(`${server.url}/user/dashboard`, { headers: { cookie: session, accept: 'text/html' } })).text();
    t.match(page, 'Service momentanément indisponible');

    path.restore();
    // Wait until the old connections have been given up.
    while ((await statusCodes(server)).includes(503));
    t.same([await statusCodes(server), await ready()], [[200], 200], 'the site recovers');
  }
});

t.test('connections that break during requests: at worst 503, then recovery', async (t) => {
  const { path, server } = await serverBehindPath();
  for (const how of ['end', 'reset'] as const) {
    const { asked } = await holding(world.databaseUrl, 'lock table prepa', async () => {
      const asked = statusCodes(server);
      await untilBlocked(world.databaseUrl, 1);
      path.close(how);
      return { asked };
    });
    const codes = await asked;
    t.ok(codes.includes(503), how);
    t.same(
      codes.filter((status) => status !== 200 && status !== 503),
      [],
    );
    t.same(await statusCodes(server), [200], 'the site recovers');
  }
});

t.test('SIGTERM ends the process within its time limit although connections hang', async (t) => {
  const path = await createNetworkPath(t, world.databaseUrl);
  const server = await world.startServer({ DATABASE_URL: path.url, DATABASE_TIMEOUT_MS: '600000', SHUTDOWN_TIMEOUT_MS: '1000' });
  t.same(await statusCodes(server), [200]);
  path.cut();
  const lost = path.untilLost();
  const hanging = statusCodes(server).catch(() => null);
  await lost;
  t.equal(
    (await fetch(`${server.url}/readyz`, { signal: AbortSignal.timeout(20_000) })).status,
    503,
    'the health check does not wait for the lost connections',
  );
  t.equal(await within(20_000, server.stop()), 1);
  t.match(server.output(), 'closing takes too long');
  await hanging;
});

t.test('SIGTERM: no longer ready, while requests are still served', async (t) => {
  const server = await world.startServer({ SHUTDOWN_DRAIN_MS: '3000' });
  const ready = async () => (await fetch(`${server.url}/readyz`)).json();
  const stopped = server.stop();
  let said = await ready();
  while (said.status === 'ok') said = await ready();
  t.same(said, { status: 'unavailable', message: 'Arrêt en cours' });
  const page = await fetch(server.url, { headers: { accept: 'text/html' } });
  t.same([page.status, page.headers.get('connection')], [200, 'close'], 'the server closes the connection after the response');
  t.equal(await stopped, 0);
});

t.test('SIGTERM ends the process also during its start, as the first process of a container needs', async (t) => {
  const silent = createServer((socket) =>
    socket
      .on('error', () => {})
      .resume()
      .once('data', () => silent.emit('asked')),
  ).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  t.teardown(() => silent.close());
  const asked = once(silent, 'asked');
  const server = await startProcess(t, join(projectRoot, 'dist/server/server.js'), {
    cwd: tmpdir(),
    env: {
      ...world.env,
      NODE_ENV: 'production',
      PUBLIC_URL: 'https://prepa.example',
      ZITOPAY_BASE_URL: 'https://zitopay.invalid',
      DATABASE_URL: `postgresql://prepa@127.0.0.1:${(silent.address() as AddressInfo).port}/prepa`,
    },
  });
  await asked;
  t.equal(await server.stop(), 0);
});

t.test('SIGTERM ends a process that reconciles', async (t) => {
  const path = await createNetworkPath(t, world.databaseUrl);
  const watching = await startProcess(t, join(projectRoot, 'dist/cli/main.js'), {
    args: ['--json', 'payments', 'reconcile', '--watch'],
    env: {
      ...world.env,
      COMMANDS_DATABASE_URL: path.url,
      RECONCILE_EVERY_SECONDS: '1',
      DATABASE_TIMEOUT_MS: '600000',
      SHUTDOWN_TIMEOUT_MS: '1000',
    },
    ready: /"checked"/,
  });
  path.cut();
  await path.untilLost();
  t.equal(await within(20_000, watching.stop()), 1);
});

t.test('a table locked for a long time: 503 in French, then recovery', async (t) => {
  const server = await world.startServer({ DATABASE_TIMEOUT_MS: '500' });
  const ask = () => fetch(`${server.url}/api/prepas/published`);
  await holding(world.databaseUrl, 'lock table prepa', async () => {
    const answer = await ask();
    t.same([answer.status, answer.headers.get('retry-after'), await answer.json()], [503, '5', unavailable]);
  });
  t.equal((await ask()).status, 200, 'the site recovers');
});

t.test('no database connection available: 503 in French, not ready, then recovery', async (t) => {
  const name = new URL(world.databaseUrl).pathname.slice(1);
  const role = `limited_${name}`;
  // Connection limits do not apply to superusers.
  await sql(world.databaseUrl, `create role ${role} login password 'x' connection limit 0 in role pg_read_all_data, pg_write_all_data`);
  t.teardown(() => sql(world.databaseUrl, `drop role ${role}`));
  const limited = Object.assign(new URL(world.databaseUrl), { username: role, password: 'x' }).href;
  const server = await world.startServer({ DATABASE_URL: limited });
  const ask = () => fetch(`${server.url}/api/prepas/published`);
  const answer = await ask();
  t.same([answer.status, answer.headers.get('retry-after'), await answer.json()], [503, '5', unavailable]);
  t.equal((await fetch(`${server.url}/readyz`)).status, 503);
  await sql(world.databaseUrl, `alter role ${role} connection limit 10`);
  t.equal((await ask()).status, 200, 'the site recovers');
});

t.test('a switch to a read-only server and back: pages are served, and no connection stays on that server', async (t) => {
  const { path, server } = await serverBehindPath();
  const prepa = await createPrepa(world);
  const learners = [await createLearner(world), await createLearner(world), await createLearner(world)];
  const begin = async () => {
    const { token } = learners.pop() ?? {};
    const answer = await fetch(`${server.url}/api/payment/start`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ prepaId: prepa.id }),
    });
    await answer.arrayBuffer();
    return answer.status;
  };
  const read = async () => (await fetch(`${server.url}/api/prepas/published`)).status;
  const ready = async () => (await fetch(`${server.url}/readyz`)).status;
  t.same([await begin(), await read(), await ready()], [200, 200, 200]);
  const name = new URL(world.databaseUrl).pathname.slice(1);
  await sql(world.databaseUrl, `alter database ${name} set default_transaction_read_only = on`);
  path.close('reset');
  while ((await read()) !== 200);
  t.same([await begin(), await read(), await ready()], [503, 200, 503]);
  await sql(
    Object.assign(new URL(world.databaseUrl), { pathname: '/postgres' }).href,
    `alter database ${name} reset default_transaction_read_only`,
  );
  while ((await ready()) !== 200);
  t.same([await begin(), await read()], [200, 200], 'the site recovers');
});

t.test('a slow path: every response is complete or a 503', async (t) => {
  const { path, server } = await serverBehindPath();
  path.setConditions({ delayMs: [1, 10], bytesPerSecond: 200_000, silent: 0.01, reset: 0.01 });
  const codes = await statusCodes(server);
  t.same(
    codes.filter((status) => status !== 200 && status !== 503),
    [],
  );
  path.setConditions({});
  while ((await statusCodes(server)).includes(503));
  t.same(await statusCodes(server), [200], 'the site recovers');
});
