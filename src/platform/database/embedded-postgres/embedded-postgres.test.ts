// Slow: each test starts a PostgreSQL of its own.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { isRunning } from '../../../../test/support/process.ts';
import { openEmbeddedPostgres } from './embedded-postgres.ts';

const log = { debug() {} };

async function temporaryFolder(t: Test): Promise<string> {
  // The test needs mkdtemp's mode 0700: if it runs as root, the server's own account may not enter this folder by itself.
  const folder = await mkdtemp(join(tmpdir(), 'prepa-pg-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));
  return folder;
}

let closed: Promise<string> | undefined;

/** Data folder of a closed server, copied for each test: creating the data takes longer than the tests themselves. */
async function usedFolder(test: Test): Promise<string> {
  closed ??= temporaryFolder(t).then(async (dataDir) => {
    await (await openEmbeddedPostgres({ dataDir, log })).close();
    return dataDir;
  });
  const folder = await temporaryFolder(test);
  // Keeps the files' owner, since only the owner may start the server; only root can do that.
  execFileSync('cp', ['-a', `${await closed}/.`, folder]);
  return folder;
}

/** Starts a process that opens the server, prints the result as JSON, and closes the server when its input ends. */
class Neighbour {
  readonly child: ChildProcess;
  readonly opened: Promise<{ url: string; started: boolean }>;

  constructor(t: Test, dataDir: string) {
    const source = `
      import { openEmbeddedPostgres } from ${JSON.stringify(new URL('./embedded-postgres.ts', import.meta.url).href)};
      const pg = await openEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, log: { debug() {} } });
      console.log(JSON.stringify({ url: pg.url, started: pg.started }));
      process.stdin.resume().on('end', () => pg.close());
    `;
    this.child = spawn(process.execPath, ['--input-type=module', '-e', source], { stdio: ['pipe', 'pipe', 'inherit'] });
    t.teardown(() => this.child.kill('SIGKILL'));
    this.opened = new Promise((resolve, reject) => {
      this.child.stdout?.once('data', (line) => resolve(JSON.parse(String(line))));
      this.child.once('exit', (code) => reject(new Error(`exit ${code}`)));
    });
  }

  async leave(): Promise<void> {
    this.child.stdin?.end();
    await once(this.child, 'exit');
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await once(this.child, 'exit');
  }
}

function serverPid(dataDir: string): number | undefined {
  try {
    return Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
  } catch {
    return undefined;
  }
}

async function gone(pid: number): Promise<boolean> {
  for (let tries = 0; tries < 100; tries += 1) {
    if (!isRunning(pid)) return true;
    await sleep(50);
  }
  return false;
}

/** Runs statements with the package's own client. */
async function query(url: string, ...statements: string[]): Promise<Record<string, unknown>[]> {
  const { createRequire } = await import('node:module');
  const { Client } = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))('pg');
  const client = new Client({ connectionString: url });
  await client.connect();
  let rows: Record<string, unknown>[] = [];
  for (const statement of statements) ({ rows } = await client.query(statement));
  await client.end();
  return rows;
}

t.test('creates the data, starts, stops, and starts again with the same data', async (t) => {
  const dataDir = join(await temporaryFolder(t), 'absent', 'data');
  const first = await openEmbeddedPostgres({ dataDir, log });
  t.equal(first.started, true);
  await query(first.url, 'create table kept (mot text)', "insert into kept values ('zèbre'), ('étude'), ('école'), ('fin')");
  const sorted = await query(first.url, "select string_agg(mot, ' ' order by mot) as mots, upper('é') as \"haut\" from kept");
  t.same(sorted, [{ mots: 'école étude fin zèbre', haut: 'É' }], 'French order, Unicode case');
  t.same(
    await query(first.url, "select current_setting('server_encoding') as e, current_setting('TimeZone') as z, current_database() as d"),
    [{ e: 'UTF8', z: 'UTC', d: 'prepa' }],
  );
  t.equal(statSync(join(dataDir, 'postgres', 'prepa.password')).mode & 0o777, 0o600);
  const pid = serverPid(dataDir);
  await first.close();
  await first.close();
  t.ok(await gone(Number(pid)), 'no server is running');

  const second = await openEmbeddedPostgres({ dataDir, log, settings: { fsync: 'off' } });
  t.teardown(() => second.close());
  t.same(await query(second.url, 'select count(*)::int as n from kept'), [{ n: 4 }]);
  t.same(await query(second.url, "select current_setting('fsync') as fsync"), [{ fsync: 'off' }]);
});

t.test('five processes at once: one starts the server, all can use it', async (t) => {
  const dataDir = await temporaryFolder(t);
  const all = Array.from({ length: 5 }, () => new Neighbour(t, dataDir));
  const opened = await Promise.all(all.map((neighbour) => neighbour.opened));
  t.equal(opened.filter(({ started }) => started).length, 1);
  t.equal(new Set(opened.map(({ url }) => url)).size, 1);
  const pid = Number(serverPid(dataDir));
  for (const neighbour of all) {
    t.same(await query(String(opened[0]?.url), 'select 1 as one'), [{ one: 1 }]);
    await neighbour.leave();
  }
  t.ok(await gone(pid), 'the server stops with its last user');
});

t.test('a command uses the running server, also after the server process has closed it', async (t) => {
  const dataDir = await usedFolder(t);
  const server = new Neighbour(t, dataDir);
  const { url } = await server.opened;
  const command = await openEmbeddedPostgres({ dataDir, log });
  t.match(command, { url, started: false });
  await server.leave();
  t.same(await query(command.url, 'select 1 as one'), [{ one: 1 }], 'the server still runs for the command');
  const pid = Number(serverPid(dataDir));
  await command.close();
  t.ok(await gone(pid));
});

t.test('after a kill -9 of its owner the server stops, and committed data stays', async (t) => {
  const dataDir = await usedFolder(t);
  const owner = new Neighbour(t, dataDir);
  const { url } = await owner.opened;
  await query(url, 'create table kept (n int)', 'insert into kept select generate_series(1, 1000)');
  const pid = Number(serverPid(dataDir));
  await owner.kill();
  t.ok(await gone(pid));
  const next = await openEmbeddedPostgres({ dataDir, log });
  t.teardown(() => next.close());
  t.match(next, { started: true });
  t.same(await query(next.url, 'select count(*)::int as n from kept'), [{ n: 1000 }]);
});

t.test('a lock file left by a kill -9 of the server does not prevent the next start', async (t) => {
  const dataDir = await usedFolder(t);
  const first = await openEmbeddedPostgres({ dataDir, log });
  await query(first.url, 'create table kept (n int)');
  process.kill(Number(serverPid(dataDir)), 'SIGKILL');
  await Promise.race([first.ended, sleep(10_000)]);
  await first.close();
  t.ok(serverPid(dataDir), 'the lock file still exists');
  const second = await openEmbeddedPostgres({ dataDir, log });
  t.same(await query(second.url, 'select count(*)::int as n from kept'), [{ n: 0 }]);
  await second.close();

  const lock = join(dataDir, 'postgres', 'postmaster.pid');
  writeFileSync(lock, `${process.pid}\n${join(dataDir, 'postgres')}\n1\n5432\n\n127.0.0.1\n1 1\nready   \n`);
  const third = await openEmbeddedPostgres({ dataDir, log });
  t.equal(third.started, true, 'a lock whose process id now belongs to another program');
  await third.close();
});

t.test('removes an unfinished data folder left by a kill -9 during the first start', async (t) => {
  const dataDir = await temporaryFolder(t);
  mkdirSync(join(dataDir, 'postgres.init-999999999-abcd'));
  const pg = await openEmbeddedPostgres({ dataDir, log });
  await pg.close();
  t.throws(() => statSync(join(dataDir, 'postgres.init-999999999-abcd')), { code: 'ENOENT' });
});

t.test('reports a failed start in one French line', async (t) => {
  const folder = await temporaryFolder(t);
  writeFileSync(join(folder, 'file'), '');
  await t.rejects(openEmbeddedPostgres({ dataDir: join(folder, 'file', 'data'), log }), {
    message: /^Impossible d'écrire dans le dossier de données .*file\/data \((ENOTDIR|EEXIST)\) : changez ses droits ou DATA_DIR\.$/,
  });

  if (process.platform === 'linux') {
    await t.rejects(openEmbeddedPostgres({ dataDir: '/proc/prepa/data', log }), { message: /^Impossible d'écrire .*\(ENOENT\)/ });
  }

  const dataDir = await usedFolder(t);
  writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), '12\n');
  await t.rejects(openEmbeddedPostgres({ dataDir, log }), { message: /^PostgreSQL ne démarre pas : .*FATAL.*incompatible.*$/ });
});
