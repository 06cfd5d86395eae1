// Slow: each test starts a site of two processes.
import { readdirSync, readFileSync } from 'node:fs';
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { createDiscipline, createEnrolment, createItem, createLearner, createPrepa } from './support/factories.ts';
import { isRunning } from './support/process.ts';
import { holding, sql, untilBlocked } from './support/sql.ts';
import { createWorld, type Server } from './support/world.ts';

// A site of two processes (WEB_PROCESSES=2) behaves as one: limits, pages, start and stop.

const world = await createWorld(t);
const token = 'jeton-des-mesures';
const prepa = await createPrepa(world);
const discipline = await createDiscipline(world, prepa.id);
const items: { id: number }[] = [];
for (const numeroPage of [1, 2, 3, 4, 5, 6, 7, 8, 9])
  items.push(await createItem(world, discipline.id, { numeroPage, titre: `Cours ${numeroPage}` }));
const enrolled = async () => {
  const learner = await createLearner(world);
  await createEnrolment(world, learner, prepa);
  return learner;
};
const several = (env: Record<string, string> = {}) => world.startServer({ WEB_PROCESSES: '2', ...env });

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** A persistent connection. One process serves it as long as it stays open. */
class Connection {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #url: string;
  readonly #cookie: string;

  constructor(url: string, cookie = '') {
    this.#url = url;
    this.#cookie = cookie;
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const options = { agent: this.#agent, headers: { accept: 'text/html', cookie: this.#cookie, ...headers } };
      request(`${this.#url}${path}`, options, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk) => {
          text += chunk;
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
      })
        .on('error', reject)
        .end();
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** Polls until `done` returns true; the test's timeout limits it. */
async function until(done: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await done())) await wait(20);
}

/** Returns the process that sent the response, according to its log line. */
async function placeOf(server: Server, { headers }: Answer): Promise<number> {
  const id = String(headers['x-request-id']);
  await until(() => server.output().includes(id));
  const line = server
    .output()
    .split('\n')
    .find((text) => text.includes(id));
  return (JSON.parse(line ?? '{}') as { process: number }).process;
}

/** Returns a connection to each of the two processes. */
async function bothOf(t: Test, server: Server, cookie = ''): Promise<[Connection, Connection]> {
  const found = new Map<number, Connection>();
  await until(async () => {
    const connection = new Connection(server.url, cookie);
    t.teardown(() => connection.close());
    const place = await placeOf(server, await connection.get('/introuvable'));
    if (found.has(place)) connection.close();
    else found.set(place, connection);
    return found.size === 2;
  });
  return [found.get(0) as Connection, found.get(1) as Connection];
}

/** Returns the child processes of a process. */
const startedBy = (pid = 0): number[] => readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
const serving = async (server: Server): Promise<number[]> => {
  await until(() => startedBy(server.child.pid).length === 2);
  return startedBy(server.child.pid);
};

/** Returns whether connections are refused. A connection accepted during the shutdown gets no response, hence the timeout. */
const refuses = ({ url }: Server): Promise<boolean> =>
  fetch(url, { signal: AbortSignal.timeout(500) }).then(
    () => false,
    ({ cause }) => cause?.code === 'ECONNREFUSED',
  );

/** Shared by the tests that do not change it, and by the last one, which stops it. */
const server = await several({ ITEM_READS_PER_LEARNER_10_MINUTES: '8', METRICS_TOKEN: token });

t.test('limits per learner are counted by both processes together', async (t) => {
  const learner = await enrolled();
  const both = await bothOf(t, server, learner.session);
  const page = (item: number) => `/user/prepa/${prepa.id}/${discipline.id}?type=course&item=${items[item]?.id}`;
  const read = [];
  for (let item = 0; item < 9; item += 1) read.push((await both[item % 2]?.get(page(item)))?.status);
  t.same(read, [...Array(8).fill(200), 429], 'the ninth item is refused across both processes');
  t.same(
    [(await both[1].get(page(0))).status, (await both[0].get(page(1))).status],
    [200, 200],
    'opened items stay readable in both processes',
  );

  const search = (words: string) => `/user/recherche?prepa=${prepa.id}&q=${words}`;
  const searched = [];
  for (let time = 0; time < 62; time += 1) searched.push((await both[time % 2]?.get(search('cours')))?.status);
  t.same(searched, [...Array(60).fill(200), 429, 429], 'searches in a minute');
});

t.test('a text stored by one process is shown by the other at once', async (t) => {
  const learner = await enrolled();
  const both = await bothOf(t, server, learner.session);
  const page = `/user/prepa/${prepa.id}/${discipline.id}?type=course&item=${items[0]?.id}`;
  for (const [index, connection] of both.entries()) t.match((await connection.get(page)).text, 'Cours 1', `process ${index}`);
  await sql(world.databaseUrl, `update item set version = version + 1, titre = 'Cours refait' where id = $1`, [items[0]?.id]);
  for (const [index, connection] of both.entries()) t.match((await connection.get(page)).text, 'Cours refait', `process ${index}`);
});

t.test('the metrics of both processes are one response', async (t) => {
  const both = await bothOf(t, server);
  const authorization = { authorization: `Bearer ${token}` };
  const read = async (index: number) => (await both[index]?.get('/metrics', authorization))?.text ?? '';
  const figure = (text: string, name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  const [first, second] = [await read(0), await read(1)];
  t.ok(figure(first, 'process_resident_memory_bytes') > 0);
  const cpu = [first, second].map((text) => figure(text, 'process_cpu_seconds_total'));
  t.ok((cpu[1] ?? 0) >= (cpu[0] ?? 0), `both processes report the sum of the CPU time: ${cpu}`);
  t.equal(figure(first, 'prepa_web_processes'), 2);
  t.equal(figure(first, 'prepa_payments_in_review'), 0, 'a value that both read from the database is not added up');
  t.equal(figure(first, 'prepa_log_alerts_total\\{alert="process"\\}'), 0);
});

t.test('log lines of the two processes are not mixed', async (t) => {
  const many = Array.from({ length: 12 }, () => new Connection(server.url));
  await Promise.all(
    many.map(async (connection) => {
      for (let time = 0; time < 60; time += 1) await connection.get(`/introuvable/${'x'.repeat(100)}`);
      connection.close();
    }),
  );
  const lines = server.output().split('\n').filter(Boolean);
  // The last line may be incomplete.
  const broken = lines.slice(0, -1).filter((line) => {
    try {
      return typeof JSON.parse(line) !== 'object';
    } catch {
      return true;
    }
  });
  t.same(broken, []);
});

t.test('a process that dies is replaced, and the site keeps running', async (t) => {
  const before = await serving(server);
  await bothOf(t, server);
  process.kill(before[1] ?? 0, 'SIGKILL');
  await until(async () => (await serving(server)).some((pid) => !before.includes(pid)));
  t.ok((await serving(server)).includes(before[0] ?? 0), 'the other process is still running');
  const [first, second] = await bothOf(t, server);
  t.same([(await first.get('/healthz')).status, (await second.get('/healthz')).status], [200, 200]);
  t.match(server.output(), '"alert":"process"');
  // The parent process counts the alert; it serves no metrics itself.
  t.match((await first.get('/metrics', { authorization: `Bearer ${token}` })).text, /^prepa_log_alerts_total\{alert="process"\} 1$/m);
});

t.test('a process that dies during a request to the parent does not affect the others', async (t) => {
  const both = await bothOf(t, server, (await enrolled()).session);
  const before = await serving(server);
  server.child.kill('SIGSTOP');
  // Without a response from the parent, each process counts alone and continues.
  const searched = both.map((connection) => connection.get(`/user/recherche?prepa=${prepa.id}&q=cours`));
  t.same(
    (await Promise.all(searched)).map(({ status }) => status),
    [200, 200],
  );
  process.kill(before[1] ?? 0, 'SIGKILL');
  // When its last thread has ended, its open connections are closed.
  await until(() => !isRunning(before[1] ?? 0) && readdirSync(`/proc/${before[1]}/task`).length === 1);
  server.child.kill('SIGCONT');
  await until(async () => !isRunning(server.child.pid ?? 0) || (await serving(server)).some((pid) => !before.includes(pid)));
  t.ok(isRunning(server.child.pid ?? 0), 'the main process is still running');
  t.ok(isRunning(before[0] ?? 0), 'the other server process is still running');
});

t.test('after SIGTERM both finish running requests, then end', async (t) => {
  const pids = await serving(server);
  const [first] = await bothOf(t, server, (await enrolled()).session);
  // Enrolments are always read from the primary, so the request waits for the lock also with a replica.
  const { running } = await holding(world.databaseUrl, 'lock table enrolment', async () => {
    const running = first.get('/user/dashboard');
    await untilBlocked(world.databaseUrl, 1);
    server.child.kill('SIGTERM');
    await until(() => refuses(server));
    return { running };
  });
  t.equal((await running).status, 200);
  t.equal(await server.ended, 0);
  t.notOk(pids.some(isRunning));
});

t.test('no process outlives the parent, however the parent dies', async (t) => {
  const server = await several();
  const pids = await serving(server);
  await bothOf(t, server);
  await server.kill9();
  await until(() => !pids.some(isRunning));
  t.ok(await refuses(server));
});

t.test('both processes are not ready during the shutdown delay', async (t) => {
  const server = await several({ SHUTDOWN_DRAIN_MS: '3000' });
  const both = await bothOf(t, server);
  server.child.kill('SIGTERM');
  for (const connection of both) {
    await until(async () => (await connection.get('/readyz')).status === 503);
    t.equal((await connection.get('/')).status, 200, 'pages are still served');
  }
  t.equal(await server.ended, 0);
});

t.test('a hanging process does not prevent the shutdown', async (t) => {
  const server = await several({ SHUTDOWN_TIMEOUT_MS: '1000' });
  const [hanging = 0] = await serving(server);
  process.kill(hanging, 'SIGSTOP');
  t.equal(await server.stop(), 1);
  t.notOk(isRunning(hanging));
});

t.test('an error at startup is reported once', async (t) => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  t.teardown(() => taken.close());
  const port = (taken.address() as { port: number }).port;
  const failure = await several({ PORT: String(port) }).then(
    () => '',
    ({ message }: Error) => message,
  );
  t.match(failure, /ended \(1\) before it was ready/);
  t.equal(failure.split(`Le port ${port} est déjà utilisé`).length, 2, failure);
  await t.rejects(several({ WEB_PROCESSES: '0' }), { message: /WEB_PROCESSES doit valoir auto ou un nombre entier de 1 à 64/ });
});
