// Slow: it exports 50,000 payments.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, createWriteStream, openSync, readFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import t from 'tap';
import { projectRoot } from '../src/platform/settings/project-root.ts';
import { createAdministrator, createLearner, createPrepa } from './support/factories.ts';
import { isLongForm } from './support/long-form.ts';
import { bareEnvironment } from './support/process.ts';
import { sql } from './support/sql.ts';
import { createWorld } from './support/world.ts';

// Exports for accountants: every payment that the filter finds, or a visible error when some are missing.

const world = await createWorld(t);
const { databaseUrl } = world;
const { session } = await createAdministrator(world, 'super_admin');
const learner = await createLearner(world);
const [few, many] = [await createPrepa(world), await createPrepa(world)];
/** Numbers of payments, large enough that holding all of them would be visible in the memory of the processes below. */
const counts = isLongForm ? { few: 10_000, many: 100_000 } : { few: 5_000, many: 50_000 };
/** Largest accepted ratio of the memory for all payments to that for a tenth of them; lower in the short form, which has fewer payments. */
const atMost = isLongForm ? 1.3 : 1.2;
for (const [{ id }, count] of [
  [few, counts.few],
  [many, counts.many],
] as const)
  await sql(
    databaseUrl,
    `insert into payment (provider, reference, user_id, prepa_id, prepa_nom, amount, status, checks, created_at, updated_at)
     select 'zitopay', 'ZP' || $2::int || 'n' || g, $1, $2, 'Prépa', g, 'failed', 0, now(), now() from generate_series(1, $3::int) g`,
    [learner.id, id, count],
  );
await sql(databaseUrl, 'analyze payment');

const folder = t.testdir({});
let files = 0;
const newFile = () => {
  files += 1;
  return join(folder, `export-${files}`);
};
/** Returns the number of lines of a file, counted by another program. */
const lineCount = (file: string) => Number(execFileSync('wc', ['-l', file], { encoding: 'utf8' }).trim().split(' ')[0]);
const stored = async (prepaId?: number) =>
  (
    await sql<{ n: number }>(databaseUrl, 'select count(*)::int as n from payment where $1::int is null or prepa_id = $1', [
      prepaId ?? null,
    ])
  )[0]?.n ?? 0;

/** Memory settings of a small server (README), so that garbage and freed pages are limited. */
const small = { NODE_OPTIONS: '--max-semi-space-size=1 --max-old-space-size=96', MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072' };
/** Prints the process's peak memory at its end, in KiB. */
const tellPeak = 'data:text/javascript,process.on("exit",()=>process.stderr.write("peak "+process.resourceUsage().maxRSS))';

/** Starts `prepa payments export`, with its output in a pipe or a file. */
function startExport(args: string[], output: number | 'pipe' = 'pipe') {
  const child = spawn(process.execPath, ['--import', tellPeak, join(projectRoot, 'dist/cli/main.js'), 'payments', 'export', ...args], {
    cwd: tmpdir(),
    env: { ...bareEnvironment(), ...world.env, ...small, LOG_LEVEL: 'error' },
    stdio: ['ignore', output, 'pipe'],
  });
  let error = '';
  child.stderr?.setEncoding('utf8').on('data', (text) => {
    error += text;
  });
  const ended = once(child, 'close').then(([code]) => ({
    code: code as number | null,
    peak: Number(/peak (\d+)$/.exec(error)?.[1]),
    error: error.replace(/peak \d+$/, ''),
  }));
  return { child: child as ChildProcess, ended };
}
async function exportTo(file: string, ...args: string[]) {
  const output = openSync(file, 'w');
  try {
    return await startExport(args, output).ended;
  } finally {
    closeSync(output);
  }
}

const server = await world.startServer(small);
const request = (path: string, headers: Record<string, string> = {}) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    get(`${server.url}${path}`, { headers: { cookie: session, accept: 'text/html', ...headers }, agent: false }, resolve).on(
      'error',
      reject,
    );
  });
/** Resolves with 'whole' when the download is complete, and with 'cut' when its connection breaks. */
const endOf = async (answer: IncomingMessage, file = newFile()) => {
  const gunzip = answer.headers['content-encoding'] === 'gzip' ? [createGunzip()] : [];
  return pipeline([answer, ...gunzip, createWriteStream(file)]).then(
    () => 'whole' as const,
    () => 'cut' as const,
  );
};
/** Returns the peak memory of a process, in KiB. */
const peakOf = (pid: number | undefined) => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);

/** Renames the payment table while `work` runs, so that queries of it fail. */
async function withoutTable<Result>(work: () => Promise<Result>): Promise<Result> {
  await sql(databaseUrl, 'alter table payment rename to payment_away');
  try {
    return await work();
  } finally {
    await sql(databaseUrl, 'alter table payment_away rename to payment');
  }
}
/** Waits until all connections of the site's processes are idle, outside of transactions. */
async function untilIdle(): Promise<void> {
  const busy =
    "select pid from pg_stat_activity where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid() and state <> 'idle'";
  while ((await sql(databaseUrl, busy)).length > 0);
}

t.test('the terminal writes every payment, in as much memory as for a tenth of them', async (t) => {
  const [some, all, json] = [newFile(), newFile(), newFile()];
  const little = await exportTo(some, '--prepa', String(few.id));
  const much = await exportTo(all);
  t.match(
    [little, much],
    [
      { code: 0, error: '' },
      { code: 0, error: '' },
    ],
  );
  t.equal(lineCount(some), 1 + (await stored(few.id)));
  t.equal(lineCount(all), 1 + (await stored()));
  const references = readFileSync(all, 'utf8')
    .split('\r\n')
    .slice(1, -1)
    .map((line) => line.slice(0, line.indexOf(';')));
  t.equal(new Set(references).size, await stored(), 'each payment once');
  t.ok(much.peak < atMost * little.peak, `${much.peak} KiB for ${counts.few + counts.many}, ${little.peak} KiB for ${counts.few}`);

  const machine = await exportTo(json, '--json');
  t.match(machine, { code: 0, error: '' });
  t.equal((JSON.parse(readFileSync(json, 'utf8')) as unknown[]).length, await stored());
  t.ok(machine.peak < atMost * little.peak, `${machine.peak} KiB as JSON`);
});

t.test('the site sends every payment, in as much memory as for a tenth of them', async (t) => {
  const some = newFile();
  t.equal(await endOf(await request(`/admin/paiements.csv?prepa=${few.id}`), some), 'whole');
  t.equal(lineCount(some), 1 + (await stored(few.id)));
  const before = peakOf(server.child.pid);
  const all = newFile();
  t.equal(await endOf(await request('/admin/paiements.csv', { 'accept-encoding': 'gzip' }), all), 'whole');
  t.equal(lineCount(all), 1 + (await stored()));
  const after = peakOf(server.child.pid);
  t.ok(after < atMost * before, `${after} KiB for ${counts.few + counts.many}, ${before} KiB for ${counts.few}`);
});

t.test('a failed export does not look complete', async (t) => {
  await t.test('to a browser', async (t) => {
    for (const encoding of ['identity', 'gzip']) {
      const answer = await request('/admin/paiements.csv', { 'accept-encoding': encoding });
      t.equal(answer.statusCode, 200);
      await once(answer, 'readable');
      // Nothing is read meanwhile, so the rest has not yet been queried from the database.
      t.equal(await withoutTable(() => endOf(answer)), 'cut', encoding);
      t.notOk(answer.complete, 'the connection is ended, not the answer');
    }
  });

  await t.test('at the terminal', async (t) => {
    for (const args of [[], ['--json']]) {
      const { child, ended } = startExport(args);
      await once(child.stdout as NonNullable<typeof child.stdout>, 'readable');
      const end = await withoutTable(() => {
        child.stdout?.resume();
        return ended;
      });
      t.equal(end.code, 1);
      t.equal(
        end.error,
        "L'export s'est arrêté avant la fin, ce qui est écrit est incomplet. Des tables manquent : lancez d'abord « prepa db migrate ».\n",
      );
    }
  });

  await t.test('a first read that fails is an error page, not a file', async (t) => {
    const answer = await withoutTable(() => request('/admin/paiements.csv'));
    t.equal(answer.statusCode, 500);
    t.match(answer.headers['content-type'], /^text\/html/);
    t.equal(answer.headers['content-disposition'], undefined);
    answer.resume();
  });
});

t.test('an aborted download leaves no connection busy', async (t) => {
  // More downloads than the site has connections.
  for (let count = 0; count < 12; count += 1) {
    const answer = await request('/admin/paiements.csv');
    await once(answer, 'readable');
    answer.destroy();
  }
  await untilIdle();
  // And as many downloads that stay half read.
  const readers = await Promise.all(Array.from({ length: 12 }, () => request('/admin/paiements.csv')));
  await untilIdle();
  const page = await request('/admin/paiements');
  page.resume();
  t.equal(page.statusCode, 200);
  for (const reader of readers) reader.destroy();
});

t.test('a terminal export reports a closed reader and a full disk', async (t) => {
  const { child, ended } = startExport([]);
  child.stdout?.once('data', () => child.stdout?.destroy());
  t.match(await ended, { code: 1, error: /^L'export s'est arrêté avant la fin/ });
  // /dev/full is a Linux device that is always full.
  t.match(await exportTo('/dev/full', '--prepa', String(few.id)), { code: 1, error: /^L'export s'est arrêté avant la fin/ });
});

t.test('payments settled and started meanwhile: each earlier payment is in the file exactly once', async (t) => {
  const file = newFile();
  const answer = await request('/admin/paiements.csv', { 'accept-encoding': 'identity' });
  await once(answer, 'readable');
  const [before] = await sql<{ n: number }>(databaseUrl, 'select count(*)::int as n from payment');
  await sql(databaseUrl, "update payment set status = 'succeeded' where prepa_id = $1 and amount % 10 = 0", [many.id]);
  await sql(
    databaseUrl,
    `insert into payment (provider, reference, user_id, prepa_id, prepa_nom, amount, status, checks, created_at, updated_at)
     select 'zitopay', 'ZPlate' || g, $1, $2, 'Prépa', 1, 'failed', 0, now(), now() from generate_series(1, 5000) g`,
    [learner.id, many.id],
  );
  t.equal(await endOf(answer, file), 'whole');
  const references = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\r\n')
    .slice(1)
    .map((line) => line.slice(0, line.indexOf(';')));
  t.equal(references.length, before?.n);
  t.equal(new Set(references).size, references.length);
  t.notOk(
    references.some((reference) => reference.startsWith('ZPlate')),
    'no payment that was started after the export',
  );
});
