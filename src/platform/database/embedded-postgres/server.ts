/** Starts the server's process and its watcher. */
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

/** `$0` is the lifeline, `$1` the server's lock file. `exec` turns the shell into the server, so both have the same process id. */
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
  // Open for reading and writing until the watcher reads: if this process dies before that, the watcher still gets end-of-file.
  const bridge = openSync(lifeline, constants.O_RDWR | constants.O_NONBLOCK);
  const child = spawn('/bin/sh', ['-c', WATCHED, lifeline, join(folder, 'postmaster.pid'), ...argv], {
    ...options,
    cwd: '/',
    env: environment(),
    // The server gets its own session, which the terminal's Ctrl-C does not reach: the application must close first.
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
    /** Lets go of a running server, whose lifeline keeps it alive, or cleans up after a failed start. */
    standBack() {
      if (open) closeSync(bridge);
      open = false;
      if (hasEnded()) killGroup(child);
      else child.once('exit', () => killGroup(child));
    },
  };
}

export type Attempt = Awaited<ReturnType<typeof startServer>>;

/** Ends the watcher that a server leaves behind: the watcher is in the process group with the server's id. */
function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The group has already ended.
  }
}
