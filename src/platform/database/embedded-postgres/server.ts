/** The server's process and the watcher beside it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { readFile, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../../processes/free-port.ts';
import { quietLog } from '../connections/quiet-log.ts';
import { asAccount, environment } from './account.ts';
import { type Cluster, LIFELINE } from './cluster.ts';
import { lastLine } from './last-line.ts';

const MAX_LOG_BYTES = 1_000_000;

/** `$0` is the lifeline, `$1` the server's lock file. The shell becomes the server, so that its process id is the server's. */
const WATCHED = `
lifeline=$0 lock=$1
shift
( ( while read -r _; do :; done <"$lifeline"
    read -r pid <"$lock" && [ "$pid" = $$ ] && kill -INT $$
  ) 2>/dev/null & )
exec "$@"
`;

export async function startServer(cluster: Cluster, settings: Record<string, string>) {
  const { folder, logFile } = cluster;
  const port = await freePort();
  const fixed = { listen_addresses: '127.0.0.1', unix_socket_directories: '', port: String(port), timezone: 'UTC', ...quietLog };
  const flags = Object.entries({ ...fixed, ...settings }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const { argv, options } = await asAccount([cluster.postgres, '-D', folder, ...flags], folder, cluster.account);
  const lifeline = join(folder, LIFELINE);

  if (((await stat(logFile).catch(() => undefined))?.size ?? 0) > MAX_LOG_BYTES) await truncate(logFile);
  const output = openSync(logFile, 'a', 0o600);
  const logStart = (await stat(logFile)).size;
  // Held open both ways until the watcher reads, so that there is no moment at which this process could die and leave it waiting.
  const bridge = openSync(lifeline, constants.O_RDWR | constants.O_NONBLOCK);
  const child = spawn('/bin/sh', ['-c', WATCHED, lifeline, join(folder, 'postmaster.pid'), ...argv], {
    ...options,
    cwd: '/',
    env: environment(),
    // In a session of its own, out of reach of the terminal's Ctrl-C: the application closes first.
    detached: true,
    stdio: ['ignore', output, output],
  });
  child.unref();
  closeSync(output);
  let failure: Error | undefined;
  child.on('error', (error) => {
    failure = error;
  });
  const hasEnded = () => failure !== undefined || child.exitCode !== null || child.signalCode !== null;
  let open = true;
  return {
    child,
    port,
    ended: hasEnded,
    exit: new Promise<void>((resolve) => child.once('exit', () => resolve())),
    reason: async () => failure?.message ?? lastLine((await readFile(logFile, 'utf8')).slice(logStart), /FATAL|ERROR/) ?? logFile,
    /** Leaves a running server to its lifeline, and clears away what a failed start left. */
    standBack() {
      if (open) closeSync(bridge);
      open = false;
      if (hasEnded()) killGroup(child);
      else child.once('exit', () => killGroup(child));
    },
  };
}

export type Attempt = Awaited<ReturnType<typeof startServer>>;

/** A server that has ended leaves its watcher, in the process group that bears its id. */
function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Nothing of it is left.
  }
}
