import { execFileSync } from 'node:child_process';
import { appendFileSync, chownSync, closeSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectionUrl, holdLifeline } from '../../../src/platform/database/embedded-postgres/cluster.ts';
import { openCluster } from '../../../src/platform/database/embedded-postgres/data.ts';
import { startServer } from '../../../src/platform/database/embedded-postgres/server.ts';
import { connected, sql } from '../sql.ts';

/** What each standby calls itself, and its slot, with which the primary keeps what it has not sent yet. */
const NAME = 'replica';
const maxStartMs = 30_000;
const maxStopMs = 20_000;

export interface StreamingStandby {
  dataDir: string;
  /** The standby's own database `postgres`, as its owner. */
  url: string;
  /** Where the standby has what is at this address of the primary. */
  at(primaryUrl: string): string;
  /** Ends it as a power cut would; it is started again on the same port. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Makes it the primary. */
  promote(): Promise<void>;
  /** Ends it for good. */
  close(): Promise<void>;
}

interface Primary {
  /** Of its owner. */
  url: string;
  /** What openEmbeddedPostgres calls its data folder. */
  dataDir: string;
}

interface StandbyOptions {
  /** Empty or absent. */
  dataDir: string;
  /** Of the standby, for instance { recovery_min_apply_delay: '200ms' }. It needs the primary's max_connections. */
  settings?: Record<string, string>;
  /** What the standby follows, in place of the primary's own address: a way that a test may cut. */
  follows?: string;
}

/**
 * A standby of a running embedded PostgreSQL, made beside its work: the copy of its files that pg_basebackup would make, which the package does not bring, and
 * then the stream of what is written from there on.
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

  /** Files belong to whom the server runs as. */
  function own(path: string, text: string): void {
    writeFileSync(path, text);
    const { uid, gid } = statSync(folder);
    chownSync(path, uid, gid);
  }
}

/** @param url of the server that works on `from` all the while */
function copyFiles(from: string, to: string, url: string): Promise<void> {
  return connected(url, async (client) => {
    await client.query(
      `select pg_create_physical_replication_slot('${NAME}', true) where not exists (select from pg_replication_slots where slot_name = '${NAME}')`,
    );
    await client.query("select pg_backup_start('standby', true)");
    mkdirSync(join(to, '..'), { recursive: true });
    // Files come and go meanwhile; what is missing or half-written is in the stream.
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
