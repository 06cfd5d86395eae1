/**
 * The restore drill of `make soak`: backs up a site with LEARNERS (20,000), two payments each with their events, and the demonstration's
 * texts and pictures, while payments continue. Then it kills the servers and restores the backup into another database and folder. SQL that
 * is independent of the backup and the application computes checksums in the snapshot's own transaction and again in the restored database.
 */
import { spawn } from 'node:child_process';
import { createReadStream, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import type pg from 'pg';
import type { Test } from 'tap';
import { backupSubject } from '../../src/backup.ts';
import { writeWhole } from '../../src/platform/backup/backup-file.ts';
import { digestOf } from '../../src/platform/backup/manifest.ts';
import { restoreBackup } from '../../src/platform/backup/restore-backup.ts';
import { connect, openSnapshot } from '../../src/platform/backup/snapshot.ts';
import { writeBackup } from '../../src/platform/backup/write-backup.ts';
import { folderStores } from '../../src/platform/files/open-stores.ts';
import { projectRoot } from '../../src/platform/settings/project-root.ts';
import { emptyDatabase } from '../../test/support/backups.ts';
import { bareEnvironment } from '../../test/support/process.ts';
import { seeded } from '../../test/support/random.ts';
import { sql } from '../../test/support/sql.ts';
import { createWorld, type World } from '../../test/support/world.ts';
import { race } from './race.ts';

export async function soakRestore(t: Test, { seed, learners }: { seed: number; learners: number }): Promise<boolean> {
  const folders = mkdtempSync(join(tmpdir(), 'prepa-drill-'));
  t.teardown(() => rmSync(folders, { recursive: true, force: true }));
  // The folder for the demonstration's pictures, which are copied for the site.
  process.env.TEST_FOLDER = folders;
  const world = await createWorld(t, { demo: true });
  await load(world.databaseUrl, learners);
  const servers = [await world.startServer(), await world.startServer()];
  const writing = keepPaying(world, servers, seed);
  await writing.after(3);

  const snapshot = await openSnapshot(world.databaseUrl);
  const seen = await oracle(snapshot.client);
  await writing.after(3);
  const dataDir = world.env.DATA_DIR ?? '';
  const [file, manifest] = await writeWhole(join(folders, 'backups'), 'drill.tar', (sink) =>
    writeBackup(snapshot, backupSubject(), sink, { stores: folderStores(dataDir), media: true, recipients: [] }),
  );
  await snapshot.close();
  const peak = await peakMemory(world);
  await writing.after(3);

  const paid = await writing.stop(() => Promise.all(servers.map((server) => server.kill9())));
  const lostAt = Date.now();
  const [lost] = await sql<{ rows: number; newest: Date }>(
    world.databaseUrl,
    'select count(*)::int as rows, max(at) as newest from payment_event where at > $1',
    [snapshot.at],
  );

  const began = performance.now();
  const restored = await emptyDatabase(t, world.databaseUrl);
  const folder = join(folders, 'data');
  await restoreBackup({ open: () => createReadStream(file) }, backupSubject(), { url: restored, stores: folderStores(folder) });
  const server = await world.startServer({ DATABASE_URL: restored, DATA_DIR: folder });
  const ready = await fetch(`${server.url}/readyz`);
  const rto = (performance.now() - began) / 1000;

  const client = await connect(restored);
  const found = await oracle(client);
  await client.end();
  const differing = Object.keys({ ...seen, ...found }).filter((name) => JSON.stringify(seen[name]) !== JSON.stringify(found[name]));
  const files = differingFiles(dataDir, folder);
  const page = await fetch(`${server.url}/user/preparations`);
  await server.stop();

  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
  console.log(
    `restore: ${rows} rows in ${manifest.tables.length} tables, backed up in ${manifest.durationMs} ms while ${paid} payments were settled`,
  );
  for (const [state, totals] of Object.entries(seen.money ?? {})) console.log(`  ${state}: ${JSON.stringify(totals)}`);
  console.log(`  prepa backup - --media: ${peak} MB of memory at most`);
  console.log(
    `RPO ${((lostAt - snapshot.at.getTime()) / 1000).toFixed(1)} s (${lost?.rows} events of payments written since), RTO ${rto.toFixed(1)} s`,
  );
  console.log(
    `tables and sums that differ ${differing.length}${differing.length > 0 ? ` (${differing.join(', ')})` : ''}, files that differ ${files}`,
  );
  return differing.length + files === 0 && ready.status === 200 && page.status === 200 && paid > 0 && (lost?.rows ?? 0) > 0;
}

/** Inserts learners who have each paid twice, as rows of a year-old site. */
async function load(url: string, learners: number): Promise<void> {
  await sql(
    url,
    `insert into app_user (id, username, email, password_hash, created_at)
     select gen_random_uuid(), 'eleve_' || n, 'eleve' || n || '@gmail.com', 'unusable', now() - interval '1 year' from generate_series(1, $1::int) n`,
    [learners],
  );
  await sql(
    url,
    `insert into payment (provider, reference, user_id, prepa_id, prepa_nom, amount, currency, status, created_at, updated_at, settled_at)
     select 'zitopay', 'P-' || n || '-' || left(u.id::text, 8) || u.username, u.id, p.id, p.nom, 5000 + 500 * (n + length(u.username)), 'XAF',
            (array['succeeded', 'succeeded', 'failed', 'cancelled', 'refunded'])[1 + (hashtext(u.username) % 5 + 5 + n) % 5], now() - n * interval '40 days', now(), now()
     from app_user u, generate_series(1, 2) n, (select id, nom from prepa order by id limit 1) p where u.username like 'eleve_%'`,
  );
  await sql(
    url,
    `insert into payment_event (payment_id, type, actor, detail, at)
     select id, 'settled', 'server', '{"note": "réglé\\tà l''heure\\\\"}', now() - interval '1 day' from payment`,
  );
  await sql(
    url,
    `insert into item_reading (user_id, item_id, read_at) select u.id, i.id, now() from app_user u join item i on i.id % 5 = hashtext(u.username) % 5
     where u.username like 'eleve_%'`,
  );
}

/** Starts and settles payments one after another, in two lanes, until stopped. */
function keepPaying(world: World, servers: Parameters<typeof race>[1], seed: number) {
  let stopping = false;
  let paid = 0;
  let told: (() => void)[] = [];
  const lane = async (number: number) => {
    const random = seeded(seed + number);
    while (!stopping) {
      await race(world, servers, random);
      paid += 1;
      for (const tell of told) tell();
    }
  };
  const lanes = Promise.all([1, 2].map(lane));
  // A killed server leaves requests without a response.
  const over = lanes.catch((error) => {
    if (!stopping) throw error;
  });
  over.catch(() => {});
  return {
    /** Waits until `count` more payments have been settled. */
    after(count: number): Promise<unknown> {
      const until = paid + count;
      const reached = new Promise<void>((resolve) => {
        told = [...told, () => paid >= until && resolve()];
      });
      return Promise.race([reached, over]);
    },
    async stop(kill: () => Promise<unknown>): Promise<number> {
      stopping = true;
      await kill();
      await over;
      return paid;
    },
  };
}

/** Returns each table's row count and a checksum of its rows, and the amounts by payment state. */
async function oracle(client: pg.Client): Promise<Record<string, unknown>> {
  const { rows: tables } = await client.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  const found: Record<string, unknown> = {};
  for (const { name } of tables) {
    const { rows } = await client.query(`select count(*), sum(hashtextextended(t::text, 0)::numeric) as sum from "${name}" t`);
    found[name] = rows[0];
  }
  const { rows } = await client.query(
    `select json_object_agg(status, json_build_object('payments', n, 'XAF', taken, 'returned', returned) order by status) as money from
       (select status, count(*) n, sum(amount) taken, sum(refunded_amount) returned from payment where currency = 'XAF' group by status) states`,
  );
  return { ...found, ...rows[0] };
}

/** Returns the number of files that differ between the site's folder and the restored one. No file is uploaded meanwhile. */
function differingFiles(site: string, restored: string): number {
  const sumsOf = (folder: string) => {
    const media = join(folder, 'media');
    const files = readdirSync(media, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const paths = files.map((file) => join(file.parentPath, file.name));
    return new Map(paths.map((path) => [relative(media, path), digestOf(readFileSync(path))]));
  };
  const [one, other] = [sumsOf(site), sumsOf(restored)];
  return [...new Set([...one.keys(), ...other.keys()])].filter((name) => one.get(name) !== other.get(name)).length;
}

/** Returns the peak memory of the command while it streams the same backup, in MB. */
async function peakMemory(world: World): Promise<number> {
  const child = spawn(process.execPath, [join(projectRoot, 'dist/cli/main.js'), 'backup', '-', '--media'], {
    env: { ...bareEnvironment(), ...world.env, LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let peak = 0;
  child.stdout.on('data', () => {
    const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
    peak = Math.max(peak, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0));
  });
  const code = await new Promise((resolve) => child.on('close', resolve));
  if (code !== 0) throw new Error(`prepa backup ended with ${code}`);
  return Math.round(peak / 1024);
}
