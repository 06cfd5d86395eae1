import { execFileSync } from 'node:child_process';
import { appendFileSync, chownSync, closeSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectionUrl, holdLifeline } from '../../../src/platform/database/embedded-postgres/cluster.ts';
import { openCluster } from '../../../src/platform/database/embedded-postgres/data.ts';
import { startServer } from '../../../src/platform/database/embedded-postgres/server.ts';
import { connected, sql } from '../sql.ts';

/** Name of each standby and its replication slot, which makes the primary keep unsent WAL. */
const NAME = 'replica';
const maxStartMs = 30_000;
const maxStopMs = 20_000;

export interface StreamingStandby {
  dataDir: string;
  /** URL of the standby's database `postgres`, with the owner's role. */
  url: string;
  /** Returns the standby's URL for a database of the primary. */
  at(primaryUrl: string): string;
  /** Stops the standby like a power cut; `start` restarts it on the same port. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Promotes the standby to primary. */
  promote(): Promise<void>;
  /** Stops the standby permanently. */
  close(): Promise<void>;
}

interface Primary {
  /** URL with the owner's role. */
  url: string;
  /** The data folder given to openEmbeddedPostgres. */
  dataDir: string;
}

interface StandbyOptions {
  /** Empty or missing folder. */
  dataDir: string;
  /** Settings of the standby, for example { recovery_min_apply_delay: '200ms' }. max_connections must not be lower than the primary's. */
  settings?: Record<string, string>;
  /** URL that the standby follows instead of the primary's own: a network path that a test may cut. */
  follows?: string;
}

/**
 * Creates a standby of a running embedded PostgreSQL: a copy of its files, as pg_basebackup makes it (the package does not include that
 * tool), followed by WAL streaming.
 */
export async function startStreamingStandby(
  primary: Primary,
  { dataDir, settings = {}, follows = primary.url }: StandbyOptions,
): Promise<StreamingStandby> {
  const folder = join(dataDir, 'postgres');
  await copyFiles(join(primary.dataDir, 'postgres'), folder, primary.url);
  const { hostname, port, username, password } = new URL(follows);
  const conninfo = `host=${hostname} port=${port} user=${username} password=${password} application_name=${NAME}`;
  appendFileSync(
    join(folder, 'postgresql.auto.conf'),
    `primary_conninfo = '${conninfo}'\nprimary_slot_name = '${NAME}'\nwal_retrieve_retry_interval = '200ms'\n`,
  );
  own(join(folder, 'standby.signal'), '');

  const cluster = await openCluster(dataDir);
  let port_: string | null = null;
  let life: { end(signal: NodeJS.Signals): Promise<void>; url: string };
  const start = async () => {
    const server = await startServer(cluster, { fsync: 'off', ...settings, ...(port_ !== null && { port: port_ }) });
    const url = (await connectionUrl(cluster, port_ === null ? server.port : Number(port_)))('postgres');
    const deadline = Date.now() + maxStartMs;
    while ((await sql(url, 'select 1').catch(() => [])).length === 0) {
      if (server.ended() || Date.now() > deadline) throw new Error(`the standby does not start: ${await server.reason()}`);
      await sleep(50);
    }
    const hold = holdLifeline(cluster.folder);
    port_ = new URL(url).port;
    life = {
      url,
      async end(signal) {
        const [pid] = readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n');
        if (!server.ended()) process.kill(Number(pid), signal);
        if (hold !== undefined) closeSync(hold);
        for (const deadline = Date.now() + maxStopMs; !server.ended() && Date.now() < deadline; ) await sleep(20);
        server.standBack();
      },
    };
  };
  await start();
  let closed = false;
  return {
    dataDir,
    get url() {
      return life.url;
    },
    at: (primaryUrl) => Object.assign(new URL(primaryUrl), { host: new URL(life.url).host }).href,
    kill: () => life.end('SIGQUIT'),
    start,
    async promote() {
      await sql(life.url, 'select pg_promote()');
    },
    async close() {
      if (closed) return;
      closed = true;
      await life.end('SIGINT').catch(() => {});
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
    },
  };

  /** Writes a file owned by the server's user. */
  function own(path: string, text: string): void {
    writeFileSync(path, text);
    const { uid, gid } = statSync(folder);
    chownSync(path, uid, gid);
  }
}

/** Copies the files of a running server. @param url the server that uses `from` */
function copyFiles(from: string, to: string, url: string): Promise<void> {
  return connected(url, async (client) => {
    await client.query(
      `select pg_create_physical_replication_slot('${NAME}', true) where not exists (select from pg_replication_slots where slot_name = '${NAME}')`,
    );
    await client.query("select pg_backup_start('standby', true)");
    mkdirSync(join(to, '..'), { recursive: true });
    // Files may appear or disappear during the copy; WAL replay repairs missing or partial ones.
    try {
      execFileSync('cp', ['-a', from, to], { stdio: 'ignore' });
    } catch {}
    const { rows } = await client.query<{ label: string }>('select labelfile as label from pg_backup_stop(false)');
    const label = join(to, 'backup_label');
    writeFileSync(label, rows[0]?.label ?? '');
    const { uid, gid } = statSync(from);
    chownSync(label, uid, gid);
    for (const path of ['postmaster.pid', 'postmaster.opts', ...globSync('pg_replslot/*', { cwd: to })])
      rmSync(join(to, path), { recursive: true, force: true });
  });
}
