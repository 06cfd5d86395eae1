import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Test } from 'tap';

interface ProcessOptions {
  args?: string[];
  /** Added to a small separate environment, not to the test's. */
  env?: Record<string, string>;
  cwd?: string;
  /** Matches the output line that reports readiness. */
  ready?: RegExp;
  /** A URL that responds, with any status, when the process is ready. */
  url?: string;
  /** Timeout until the process is ready, in ms. */
  timeout?: number;
}

export interface StartedProcess {
  child: ChildProcess;
  /** Returns the output so far, standard output and standard error together. */
  output(): string;
  /** The match of `ready`; its groups may contain a port. */
  ready: RegExpExecArray | undefined;
  /** Exit code or signal. */
  ended: Promise<number | string | null>;
  /** Sends a signal, by default SIGTERM, and waits for the end. */
  stop(signal?: NodeJS.Signals): Promise<number | string | null>;
  kill9(): Promise<void>;
}

/** Returns the environment variables that child processes inherit: none of the site's settings. */
export function bareEnvironment(): Record<string, string> {
  const { PATH = '', HOME = '', TMPDIR = '/tmp', NODE_COMPILE_CACHE } = process.env;
  return { PATH, HOME, TMPDIR, ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }) };
}

/**
 * Starts a Node process (`dist/server/server.js`, a script in TypeScript) and waits until it is ready. It ends with the test at the latest.
 *
 * @throws Error with the process's output when it ends, or times out, before it is ready.
 */
export async function startProcess(t: Test, file: string, options: ProcessOptions = {}): Promise<StartedProcess> {
  const { args = [], env = {}, cwd, ready, url, timeout = 30_000 } = options;
  const child = spawn(process.execPath, [file, ...args], {
    cwd,
    env: { ...bareEnvironment(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let written = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk) => {
      written += chunk;
    });
  }
  const ended = new Promise<number | string | null>((resolve) => child.on('close', (code, signal) => resolve(signal ?? code)));
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const stop = (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal);
    return ended;
  };
  t.teardown(async () => {
    if (hasEnded()) return;
    const late = setTimeout(() => child.kill('SIGKILL'), 5_000);
    await stop();
    clearTimeout(late);
  });

  const started: StartedProcess = {
    child,
    output: () => written,
    ready: undefined,
    ended,
    stop,
    kill9: async () => {
      await stop('SIGKILL');
    },
  };
  const deadline = Date.now() + timeout;
  while (ready || url) {
    started.ready = ready?.exec(written) ?? undefined;
    if (ready ? started.ready : url && (await answers(url))) break;
    if (hasEnded()) throw new Error(`${file} ended (${await ended}) before it was ready:\n${written}`);
    if (Date.now() > deadline) throw new Error(`${file} was not ready after ${timeout} ms:\n${written}`);
    await sleep(25);
  }
  return started;
}

async function answers(url: string): Promise<boolean> {
  try {
    await (await fetch(url, { redirect: 'manual' })).body?.cancel();
    return true;
  } catch {
    return false;
  }
}

/** Returns whether a process is running; a zombie is not. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch (error) {
    return (error as NodeJS.ErrnoException).path !== undefined && process.platform !== 'linux';
  }
}
