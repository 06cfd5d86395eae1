// Slow: it waits until the server gives up unfinished requests.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { createTestApp, type TestApp } from '../../../test/support/app.ts';
import { createEnrolment, createLearner, createPrepa } from '../../../test/support/factories.ts';
import { isLongForm } from '../../../test/support/long-form.ts';
import { startNginx } from '../../../test/support/nginx.ts';

const token = 'jeton-des-mesures';
const readers = 20;
const counts = isLongForm ? [3, 30, 300] : [3, 30];

/** Requests of each class that are never finished, or sent byte by byte. */
const halfSent: Record<string, string> = {
  'a page without the end of its headers': 'GET / HTTP/1.1\r\nHost: localhost\r\nAccept: text/html\r\n',
  'a page that announces a body': 'GET / HTTP/1.1\r\nHost: localhost\r\nAccept: text/html\r\nContent-Length: 100\r\n\r\nx',
  'a contact of a kept copy': post('/api/hors-ligne/contact', 'Content-Length: 100\r\n\r\n{'),
  'a reading mark': post('/api/items/2/lu', 'Content-Length: 100\r\n\r\n{'),
  'a reading mark in chunks': post('/api/items/2/lu', 'Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n'),
  'a sign-in': post('/api/users/login', 'Content-Length: 100\r\n\r\n{'),
};
const wholePage = 'GET / HTTP/1.1\r\nHost: localhost\r\nAccept: text/html\r\nAccept-Encoding: identity\r\n\r\n';

function post(path: string, rest: string): string {
  return `POST ${path} HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: same-origin\r\nContent-Type: application/json\r\n${rest}`;
}

async function open(t: Test) {
  const home = await createTestApp(t, { SHED_LOAD: 'on', METRICS_TOKEN: token });
  const prepa = await createPrepa(home);
  const learner = await createLearner(home);
  await createEnrolment(home, learner, prepa);
  await home.app.listen({ host: '127.0.0.1', port: 0 });
  const address = home.app.server.address();
  const site = { ...home, learner, prepa, port: typeof address === 'object' && address ? address.port : 0 };
  // The first request compiles the templates before the measurement.
  await readPages(site);
  return site;
}

type Site = TestApp & { learner: { session: string }; prepa: { id: number }; port: number };

/** Opens connections that each send these bytes; they are closed at the end of the test. */
async function openSlow(t: Test, port: number, count: number, bytes: string, { reads = true } = {}): Promise<Socket[]> {
  const sockets = Array.from({ length: count }, () => connect({ host: '127.0.0.1', port }).on('error', () => {}));
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
  });
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  for (const socket of sockets) {
    if (reads) socket.resume();
    else socket.pause();
    socket.write(bytes);
  }
  return sockets;
}

/**
 * Returns the statuses of consecutive requests on new connections. A request that is refused while this machine is too busy is repeated.
 */
async function readPages({ app, port, learner }: Site): Promise<number[]> {
  const statuses: number[] = [];
  for (let reader = 0; reader < readers; reader += 1) {
    const path = reader % 2 === 0 ? '/' : '/user/dashboard';
    let status = await read(port, path, learner.session);
    while (status === 503 && (await isLate(app))) status = await read(port, path, learner.session);
    statuses.push(status);
  }
  return statuses;
}

async function read(port: number, path: string, cookie: string): Promise<number> {
  const headers = { accept: 'text/html', cookie, connection: 'close' };
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers, redirect: 'manual' });
  await answer.arrayBuffer();
  return answer.status;
}

/** Returns whether requests wait for the event loop. */
async function isLate(app: TestApp['app']): Promise<boolean> {
  const [, seconds = ''] = /^prepa_event_loop_wait_seconds (\S+)$/m.exec(await metricsOf({ app })) ?? [];
  return Number(seconds) >= 0.01;
}

const all200 = Array.from({ length: readers }, () => 200);

async function metricsOf({ app }: Pick<TestApp, 'app'>): Promise<string> {
  return (await app.inject({ url: '/metrics', headers: { authorization: `Bearer ${token}` } })).body;
}

for (const proxied of [false, true]) {
  t.test(`readers beside slow clients, ${proxied ? 'behind the shipped nginx' : 'without a proxy'}`, async (t) => {
    const home = await open(t);
    const nginx = proxied ? await startNginx(t, home.port) : null;
    if (proxied && nginx === null) return t.pass('nginx is not installed');
    const port = nginx?.port ?? home.port;
    for (const count of counts) {
      for (const [name, bytes] of Object.entries(halfSent)) {
        await t.test(`${count} times ${name}, half-sent`, async (t) => {
          await openSlow(t, port, count, bytes);
          t.strictSame(await readPages({ ...home, port }), all200);
        });
        await t.test(`${count} times ${name}, sent byte by byte`, async (t) => {
          const sockets = await openSlow(t, port, count, bytes);
          const drip = setInterval(() => {
            for (const socket of sockets) if (socket.writable) socket.write(' ');
          }, 50);
          t.teardown(() => clearInterval(drip));
          t.strictSame(await readPages({ ...home, port }), all200);
        });
      }
      await t.test(`${count} times a page that nobody reads`, async (t) => {
        await openSlow(t, port, count, wholePage, { reads: false });
        t.strictSame(await readPages({ ...home, port }), all200);
      });
    }
    await t.test('a thousand idle connections', async (t) => {
      await openSlow(t, port, proxied ? 300 : 1_000, '');
      t.strictSame(await readPages({ ...home, port }), all200);
    });
  });
}

t.test('a disconnected client does not count as a request under way', async (t) => {
  const home = await open(t);
  const pool = await home.kernel.orm.em.getConnection().getNativeClient();
  const lock = await pool.connect();
  await lock.query('begin; lock table discipline in access exclusive mode');
  const request = `GET /user/prepa/${home.prepa.id} HTTP/1.1\r\nHost: localhost\r\nAccept: text/html\r\nCookie: ${home.learner.session}\r\n\r\n`;
  const sockets = await openSlow(t, home.port, 5, request);
  while (!(await metricsOf(home)).includes('prepa_requests_under_way 5')) await turn();
  for (const socket of sockets) socket.destroy();
  while (!(await metricsOf(home)).includes('prepa_requests_under_way 0')) await turn();
  const { rows } = await lock.query(
    "select count(*)::int as count from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
  );
  t.ok(rows[0].count >= 5, 'while their statements still wait for the lock');
  await lock.query('rollback');
  lock.release();
});

t.test('responds 408 within seconds to unfinished bodies and headers', async (t) => {
  const { port } = await open(t);
  for (const [bytes, expected] of [
    [halfSent['a sign-in'], 'Envoi trop lent'],
    [halfSent['a page without the end of its headers'], 'Envoi trop lent'],
  ] as const) {
    const [socket] = await openSlow(t, port, 1, bytes ?? '');
    let said = '';
    socket?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    await once(socket as Socket, 'close');
    t.match(said, /^HTTP\/1\.1 408 /);
    t.match(said, expected);
  }
});

t.test('responds 408 to the oldest of more than 64 unfinished bodies of a network', async (t) => {
  const { port } = await open(t);
  const [first] = await openSlow(t, port, 1, halfSent['a sign-in'] ?? '');
  const closed = once(first as Socket, 'close');
  const others = await openSlow(t, port, 64, halfSent['a sign-in'] ?? '');
  await closed;
  t.equal(others.filter(({ destroyed }) => destroyed).length, 0);
});

t.test('answers 8 pipelined requests, and closes a connection that sends more', async (t) => {
  const home = await open(t);
  /** Returns the number of responses of a connection, at its end. */
  const answersTo = async (request: string, count: number): Promise<number> => {
    const [socket] = await openSlow(t, home.port, 1, '');
    let text = '';
    socket?.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    socket?.write(request.repeat(count - 1) + request.replace('\r\n', '\r\nConnection: close\r\n'));
    // Not `once`, which would reject when the connection is reset.
    await new Promise((resolve) => socket?.on('close', resolve));
    return text.split('HTTP/1.1 ').length - 1;
  };
  t.equal(await answersTo(wholePage, 8), 8);
  const answers = await answersTo(wholePage, 100);
  t.ok(answers <= 8, `${answers} of 100 pages sent`);
  const signIn = post('/api/users/login', `Cookie: ${home.learner.session}\r\nContent-Length: 2\r\n\r\n{}`);
  const crowd = Promise.all(Array.from({ length: 5 }, () => answersTo(signIn, 1_000)));
  t.strictSame(await readPages(home), all200);
  await crowd;
});
