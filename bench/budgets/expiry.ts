/** Compares the expiry of ended enrolments with the same UPDATE sent by psql. */
import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import type { MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { expireEnrolments } from '../../src/modules/enrolment/index.ts';
import { entities } from '../../src/modules.ts';
import { openDatabase } from '../../src/platform/database/open-database.ts';
import { sql } from '../../test/support/sql.ts';
import { statementsDuring } from '../../test/support/statements.ts';
import { median, type Report, spread } from '../support/report.ts';
import type { Workshop } from '../support/workshop.ts';

const learners = 20_000;
const prepas = 50;
const rows = learners * prepas;
/** One row in ten, spread over the table. */
const ended = rows / 10;
const pairs = 4;

export async function measureExpiry(workshop: Workshop, report: Report): Promise<void> {
  report.section(`Expiring enrolments: ${rows.toLocaleString('en')} rows, ${ended.toLocaleString('en')} of them ended`);
  const url = await workshop.database('bench_expiry');
  await fill(url);
  const orm = await openDatabase({ url, entities });
  workshop.teardown(() => orm.close(true));
  const hasPsql = spawnSync('psql', ['--version']).status === 0;
  const theirs = () => (hasPsql ? throughPsql(url) : throughDriver(url));

  // Warm-up: opens the connections, caches the plans, loads the table into memory.
  await ours(orm);
  const runs: { ours: number; theirs: number; statements: string[] }[] = [];
  for (let pair = 0; pair < pairs; pair += 1) {
    const run = { ours: 0, theirs: 0, statements: [] as string[] };
    const mine = async () => Object.assign(run, await ours(orm));
    const same = async () => Object.assign(run, { theirs: await theirs() });
    for (const side of pair % 2 === 0 ? [mine, same] : [same, mine]) {
      await restore(url);
      await side();
    }
    runs.push(run);
  }
  const ratios = runs.map((run) => run.ours / run.theirs);
  const [mineMs, theirsMs] = [median(runs.map((run) => run.ours)), median(runs.map((run) => run.theirs))];
  const against = hasPsql ? 'psql' : 'a bare pg client (there is no psql here)';
  report.fact('duration', `ours ${Math.round(mineMs)} ms, ${against} ${Math.round(theirsMs)} ms, ${pairs} alternating pairs`);
  report.budget({
    what: `ours against the UPDATE in ${hasPsql ? 'psql' : 'pg'}`,
    measured: median(ratios),
    limit: 2,
    unit: '×',
    detail: spread(ratios),
  });
  const counts = runs.map((run) => run.statements.length);
  report.budget({
    what: 'statements',
    measured: Math.max(...counts),
    limit: 1,
    unit: 'statement',
    digits: 0,
    detail: runs[0]?.statements[0]?.slice(0, 70),
  });
}

async function fill(url: string): Promise<void> {
  await sql(
    url,
    `set session_replication_role = replica;
     insert into app_user (id, username, email, password_hash, created_at)
       select gen_random_uuid(), 'c' || n, 'c' || n || '@gmail.com', 'unusable', now() from generate_series(1, ${learners}) n;
     insert into prepa (nom, description, prix, is_published, created_at, updated_at)
       select 'Prépa ' || n, 'Pour les concours.', 15000, true, now(), now() from generate_series(1, ${prepas}) n;
     insert into enrolment (user_id, prepa_id, prepa_nom, statut, date_inscription, date_expiration)
       select u.id, p.id, p.nom, 'active', now() - interval '31 days',
              case when (u.number + p.id) % 10 = 0 then now() - random() * interval '1 day' else now() + interval '1 hour' + random() * interval '29 days' end
       from (select id, row_number() over () as number from app_user) u, prepa p;`,
  );
  await sql(url, 'vacuum analyze');
}

async function restore(url: string): Promise<void> {
  await sql(url, `update enrolment set statut = 'active' where statut = 'expired'`);
  await sql(url, 'vacuum enrolment');
}

async function ours(orm: MikroORM): Promise<{ ours: number; statements: string[] }> {
  let duration = 0;
  const sent = await statementsDuring(async () => {
    const start = performance.now();
    const marked = await expireEnrolments(orm.em.fork(), new Date());
    duration = performance.now() - start;
    if (marked !== ended) throw new Error(`${marked} enrolments were marked, not ${ended}`);
  });
  return { ours: duration, statements: sent.map(({ text }) => text) };
}

const update = () => `update enrolment set statut = 'expired' where statut = 'active' and date_expiration <= '${new Date().toISOString()}'`;

/** Returns the time that psql measures, in ms: without its start and its connection. */
async function throughPsql(url: string): Promise<number> {
  const args = [url, '--no-psqlrc', '--command', '\\timing on', '--command', update()];
  const { stdout } = await promisify(execFile)('psql', args, { env: { ...process.env, LC_ALL: 'C' }, timeout: 120_000 });
  const [, count] = /^UPDATE (\d+)$/m.exec(stdout) ?? [];
  const [, duration] = /^Time: ([\d.]+) ms/m.exec(stdout) ?? [];
  if (Number(count) !== ended) throw new Error(`psql marked ${count} enrolments, not ${ended}\n${stdout}`);
  return Number(duration);
}

/** Returns the time of the same statement, in ms, without psql, on an open connection. */
async function throughDriver(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('select 1');
    const start = performance.now();
    const { rowCount } = await client.query(update());
    const duration = performance.now() - start;
    if (rowCount !== ended) throw new Error(`${rowCount} enrolments were marked, not ${ended}`);
    return duration;
  } finally {
    await client.end();
  }
}
