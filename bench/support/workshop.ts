/** Everything that a run starts and must end in any case: temporary folder, PostgreSQL, processes. */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openEmbeddedPostgres } from '../../src/platform/database/embedded-postgres/embedded-postgres.ts';
import { freePort } from '../../src/platform/processes/free-port.ts';
import { sql } from '../../test/support/sql.ts';
import { createTemplate, onServer, TEMPLATE } from '../../test/support/template.ts';

/** The benchmarks do not measure the disk, and commits would add noise. Both sides of each comparison use the same server. */
const POSTGRES = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  shared_buffers: '512MB',
  max_wal_size: '4GB',
};
const READY_TIMEOUT_MS = 30_000;

export interface StartedNode {
  pid: number;
  /** Origin without a trailing slash. */
  origin: string;
  stop(): Promise<void>;
}

export class Workshop {
  readonly folder = mkdtempSync(join(tmpdir(), 'prepa-bench-'));
  readonly #postgres: Record<string, string>;
  readonly #ending = new AbortController();
  readonly #undo: (() => unknown)[] = [];
  #server: Promise<string> | undefined;
  #closing: Promise<void> | undefined;

  /** @param postgres additional settings of the PostgreSQL server */
  constructor(postgres: Record<string, string> = {}) {
    this.#postgres = postgres;
    this.teardown(() => rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 }));
  }

  /** Registers a clean-up; clean-ups run in reverse order. */
  teardown(undo: () => unknown): void {
    this.#undo.push(undo);
  }

  /** Aborted when the run ends, for commands that are still running. */
  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  close(): Promise<void> {
    this.#closing ??= (async () => {
      this.#ending.abort();
      for (const undo of this.#undo.toReversed()) {
        await Promise.resolve(undo()).catch((error: unknown) => console.error(error));
      }
    })();
    return this.#closing;
  }

  /** Returns the URL of the run's own PostgreSQL server, with a migrated template database. */
  server(): Promise<string> {
    this.#server ??= (async () => {
      const postgres = await openEmbeddedPostgres({ dataDir: this.folder, settings: { ...POSTGRES, ...this.#postgres } });
      this.teardown(() => postgres.close());
      await createTemplate(postgres.url);
      return postgres.url;
    })();
    return this.#server;
  }

  /** Returns the URL of a new migrated, empty database. */
  async database(name: string): Promise<string> {
    const server = await this.server();
    await sql(server, `create database ${name} template ${TEMPLATE} strategy file_copy`);
    return onServer(server, name);
  }

  /**
   * Starts a server that listens on PORT, with its output in a file, and waits until it responds. BENCH_PROFILE=folder writes a CPU
   * profile.
   */
  async start(name: string, file: string, env: (origin: string) => Record<string, string>): Promise<StartedNode> {
    const port = await freePort();
    const origin = `http://127.0.0.1:${port}`;
    const logFile = join(this.folder, `${name}.log`);
    const output = openSync(logFile, 'a');
    const { PATH = '', HOME = '', BENCH_PROFILE } = process.env;
    const profile = BENCH_PROFILE ? ['--cpu-prof', `--cpu-prof-dir=${BENCH_PROFILE}`, `--cpu-prof-name=${name}.cpuprofile`] : [];
    const child = spawn(process.execPath, [...profile, file], {
      cwd: this.folder,
      env: { PATH, HOME, HOST: '127.0.0.1', PORT: String(port), ...env(origin) },
      stdio: ['ignore', output, output],
    });
    closeSync(output);
    const stop = stopper(child);
    this.teardown(stop);
    await untilAnswers(origin, () => {
      if (child.exitCode !== null || child.signalCode !== null) throw new Error(`${name} ended:\n${readFileSync(logFile, 'utf8')}`);
    });
    return { pid: child.pid ?? 0, origin, stop };
  }
}

/** Returns a function that sends SIGTERM to the process, and SIGKILL after five seconds. */
function stopper(child: ChildProcess): () => Promise<void> {
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  // This process may exit without waiting for the child.
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  ended.then(() => process.off('exit', kill));
  return async () => {
    child.kill('SIGTERM');
    const late = setTimeout(kill, 5_000);
    await ended;
    clearTimeout(late);
  };
}

async function untilAnswers(origin: string, check: () => void): Promise<void> {
  for (const deadline = Date.now() + READY_TIMEOUT_MS; Date.now() < deadline; await sleep(25)) {
    check();
    const response = await fetch(`${origin}/healthz`, { signal: AbortSignal.timeout(2_000) }).catch(() => null);
    await response?.body?.cancel();
    if (response) return;
  }
  throw new Error(`${origin} does not answer`);
}

/**
 * Runs `work` with a workshop that is closed afterwards, on Ctrl-C, and after `minutes` at the latest. Ends the process with code 0 when
 * `work` returns true.
 */
export async function inWorkshop(
  minutes: number,
  work: (workshop: Workshop) => Promise<boolean>,
  postgres?: Record<string, string>,
): Promise<never> {
  const workshop = new Workshop(postgres);
  const stopped = new Promise<never>((_resolve, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => reject(new Error(`stopped by ${signal}`)));
    setTimeout(() => reject(new Error(`not finished after ${minutes} minutes`)), minutes * 60_000).unref();
  });
  let good = false;
  try {
    good = await Promise.race([work(workshop), stopped]);
  } catch (error) {
    console.error(error instanceof Error ? error.stack : error);
  }
  await workshop.close();
  process.exit(good ? 0 : 1);
}
