/** Reads the state of the data directory: the server's port, whether it runs, and its lifeline. */
import { constants, openSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { platform } from 'node:os';
import { join } from 'node:path';
import type { Account } from './account.ts';

/** The only role of the embedded server. */
export const USER = 'prepa';
export const PASSWORD_FILE = 'prepa.password';
export const LIFELINE = 'prepa.lifeline';

export interface Binaries {
  initdb: string;
  postgres: string;
}

export interface Cluster extends Binaries {
  folder: string;
  logFile: string;
  /** Account under which the server runs; undefined: this process's own. */
  account: Account | undefined;
}

/** Returns the running server of a data directory, from its lock file. A lock left by a kill -9 or an earlier boot does not count. */
export async function findRunning(folder: string) {
  const lock = join(folder, 'postmaster.pid');
  const text = await readFile(lock, 'utf8').catch(() => '');
  const lines = text.split('\n');
  const pid = Number(lines[0]);
  if (!pid || !isAlive(pid)) return undefined;
  const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => undefined);
  if (platform() === 'linux' && !commandLine?.includes(folder)) {
    // The process id now belongs to another process. PostgreSQL would take that process for a server and refuse to start.
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
    // The watcher no longer reads: the server is about to stop.
    return undefined;
  }
}

export async function connectionUrl({ folder }: Cluster, port: number): Promise<(database: string) => string> {
  const password = await readFile(join(folder, PASSWORD_FILE), 'utf8');
  return (database) => `postgresql://${USER}:${password.trim()}@127.0.0.1:${port}/${database}`;
}
