// Slow: each test starts a server.
import t from 'tap';
import { sql } from './support/sql.ts';
import { runPrepa } from './support/terminal.ts';
import { createWorld, type Server } from './support/world.ts';

// Operations on a running server, and what it reports.

const world = await createWorld(t);

/** Waits until the server has written this text after position `from`. */
async function says(server: Server, text: string, from = 0): Promise<void> {
  while (!server.output().slice(from).includes(text)) await new Promise((resolve) => setTimeout(resolve, 20));
}

for (const [name, env] of [
  ['one process', { WEB_PROCESSES: '1' }],
  ['two processes', { WEB_PROCESSES: '2' }],
] as const) {
  t.test(`${name}: SIGUSR2 switches the log to more detail, and back`, async (t) => {
    const server = await world.startServer(env);
    const probe = () => fetch(`${server.url}/healthz`);
    await probe();
    t.notMatch(server.output(), '"path":"/healthz"');
    server.child.kill('SIGUSR2');
    // The first process logs the change before it tells the others.
    while (!server.output().includes('"path":"/healthz"')) await probe();
    await says(server, 'another level');
    const line =
      server
        .output()
        .split('\n')
        .find((written) => written.includes('another level')) ?? '';
    t.match(JSON.parse(line), { level: 'info', logLevel: 'debug' });
    t.equal(line.split('"level":').length, 2, 'each log line has the key once');
    const before = server.output().length;
    server.child.kill('SIGUSR2');
    await says(server, 'another level', before);
    t.equal(await server.stop(), 0);
  });
}

t.test('an address that cannot be used is reported with its setting', async (t) => {
  // The second address is reserved for documentation, so no machine has it.
  for (const [HOST, code] of [
    ['nonsense.invalid', '(ENOTFOUND|EAI_AGAIN)'],
    ['192.0.2.1', 'EADDRNOTAVAIL'],
  ] as const)
    for (const WEB_PROCESSES of ['1', '2'])
      await t.rejects(world.startServer({ HOST, WEB_PROCESSES }), {
        message: new RegExp(`^Impossible d'écouter sur ${HOST} \\(${code}\\) : changez HOST\\.$`, 'm'),
      });
});

t.test('in production SIGUSR1 opens no inspector', async (t) => {
  const production = {
    NODE_ENV: 'production',
    PUBLIC_URL: 'https://prepa.example',
    ZITOPAY_BASE_URL: 'https://zitopay.example',
    WEB_PROCESSES: '1',
    ...Object.fromEntries(['COMMANDS_DATABASE_URL', 'MIGRATIONS_DATABASE_URL'].map((name) => [name, ''])),
  };
  const server = await world.startServer(production);
  server.child.kill('SIGUSR1');
  for (let time = 0; time < 10; time += 1) t.equal((await fetch(`${server.url}/healthz`)).status, 200);
  t.notMatch(server.output(), 'Debugger listening');
  t.equal(await server.stop(), 0);
});

t.test('X-Forwarded-For from an unknown proxy is logged once, and reported by doctor', async (t) => {
  const server = await world.startServer({ TRUST_PROXY: '192.0.2.1', WEB_PROCESSES: '1' });
  const forwarded = () => fetch(`${server.url}/healthz`, { headers: { 'x-forwarded-for': '203.0.113.9' } });
  for (let time = 0; time < 3; time += 1) await forwarded();
  await says(server, 'TRUST_PROXY');
  t.equal(server.output().split('"alert":"forwarded"').length, 2);
  t.notMatch(server.output(), '203.0.113.9');
  while ((await sql(world.databaseUrl, `select name from site_state where name = 'forwarded'`)).length === 0) await forwarded();
  await server.stop();
  const doctor = async (trustProxy: string) => {
    return (await runPrepa(['doctor'], { ...world.env, TRUST_PROXY: trustProxy })).out;
  };
  t.match(await doctor('192.0.2.1'), /^AVIS {3}X-Forwarded-For : .*nommez son adresse dans TRUST_PROXY/m);
  t.match(await doctor('192.0.2.7'), /^ok {5}X-Forwarded-For/m, 'with the proxy in TRUST_PROXY the warning disappears');
});

t.test('X-Forwarded-For from a configured proxy is accepted without a message', async (t) => {
  const server = await world.startServer({ WEB_PROCESSES: '1' });
  await fetch(`${server.url}/healthz`, { headers: { 'x-forwarded-for': '203.0.113.9' } });
  await server.stop();
  t.notMatch(server.output(), 'forwarded');
});
