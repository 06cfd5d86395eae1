/** What the data directory tells: where its server listens, whether it lives, how to hold it. */
import { constants, openSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { platform } from 'node:os';
import { join } from 'node:path';
import type { Account } from './account.ts';

/** The one role of the embedded server. */
export const USER = 'prepa';
export const PASSWORD_FILE = 'prepa.password';
export const LIFELINE = 'prepa.lifeline';

export interface Binaries {
  initdb: string;
  postgres: string;
}

export interface Cluster extends Binaries {
  /** PostgreSQL's data directory. */
  folder: string;
  logFile: string;
  /** Whom the server runs as; undefined means as this process does. */
  account: Account | undefined;
}

/** The live server of a data directory, read from its lock file; a lock left by a kill -9 or by an earlier boot does not count. */
export async function findRunning(folder: string) {
  const lock = join(folder, 'postmaster.pid');
  const text = await readFile(lock, 'utf8').catch(() => '');
  const lines = text.split('\n');
  const pid = Number(lines[0]);
  if (!pid || !isAlive(pid)) return undefined;
  const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => undefined);
  if (platform() === 'linux' && !commandLine?.includes(folder)) {
    // The id was given to another process since; PostgreSQL itself would take that process for a server and refuse to start.
    if (commandLine && (await readFile(lock, 'utf8').catch(() => '')) === text) await rm(lock, { force: true });
    return undefined;
  }
  return { pid, port: Number(lines[3]), ready: lines[7]?.trim() === 'ready' };
}

export type Running = NonNullable<Awaited<ReturnType<typeof findRunning>>>;

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

export function holdLifeline(folder: string): number | undefined {
  try {
    return openSync(join(folder, LIFELINE), constants.O_WRONLY | constants.O_NONBLOCK);
  } catch {
    // No watcher reads: the server is about to stop.
    return undefined;
  }
}

export async function connectionUrl({ folder }: Cluster, port: number): Promise<(database: string) => string> {
  const password = await readFile(join(folder, PASSWORD_FILE), 'utf8');
  return (database) => `postgresql://${USER}:${password.trim()}@127.0.0.1:${port}/${database}`;
}
