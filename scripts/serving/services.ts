/** Starts and stops the processes of `make run`. */
import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { projectRoot } from '../../src/platform/settings/project-root.ts';

const STOP_TIMEOUT_MS = 10_000;

/** Descriptor 3 is a pipe from this process: when it closes, for any reason, the watcher ends the service. */
const WATCHED = `
exec 3<&0
( ( read -r _ <&3; kill -TERM $$ ) 2>/dev/null & )
exec "$@" </dev/null 3<&-
`;

export interface Service {
  name: string;
  /** Exit code or signal. */
  ended: Promise<number | string | null>;
  /** Sends SIGTERM, waits, and sends SIGKILL after ten seconds. */
  stop(): Promise<void>;
  kill(): void;
}

/**
 * Starts a Node process that ends with this one at the latest. It does not receive the terminal's Ctrl-C: the caller stops services in
 * order.
 */
export function startService(name: string, file: string, env: NodeJS.ProcessEnv): Service {
  const child = spawn('/bin/sh', ['-c', WATCHED, 'sh', process.execPath, file], {
    cwd: projectRoot,
    env: { ...process.env, ...env },
    detached: true,
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  child.stdin.on('error', () => {});
  const ended = endOf(child);
  return {
    name,
    ended,
    kill: () => child.kill('SIGKILL'),
    stop: async () => {
      child.kill('SIGTERM');
      const late = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
      await ended;
      clearTimeout(late);
    },
  };
}

/**
 * Runs one command of the CLI (`entry`: the bundle or the source) to its end.
 *
 * @returns its standard output.
 * @throws Error with its standard error.
 */
export async function runCommand(entry: string, args: string[], env: NodeJS.ProcessEnv): Promise<string> {
  const child = spawn(process.execPath, [entry, ...args], {
    cwd: projectRoot,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const end = await endOf(child);
  if (end !== 0) throw new Error(errors.trim() || `La commande prepa ${args.join(' ')} a échoué (${end}).`);
  return output;
}

function endOf(child: ChildProcess): Promise<number | string | null> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) => resolve(signal ?? code));
  });
}

/** Waits until `url` responds with 200. */
export async function waitUntilReady(url: string, timeout = 30_000): Promise<void> {
  for (const deadline = Date.now() + timeout; Date.now() < deadline; await sleep(50)) {
    const status = await fetch(url).then(
      (response) => response.status,
      () => 0,
    );
    if (status === 200) return;
  }
  throw new Error(`Le serveur ne répond pas : ${url}`);
}
