import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Test } from 'tap';

interface ProcessOptions {
  args?: string[];
  /** Added to a small environment of its own, not to the test's. */
  env?: Record<string, string>;
  cwd?: string;
  /** A line of output that says that it is ready. */
  ready?: RegExp;
  /** An address that answers, whatever it answers, when it is ready. */
  url?: string;
  /** Until it is ready, in milliseconds. */
  timeout?: number;
}

export interface StartedProcess {
  child: ChildProcess;
  /** What it has written so far, standard output and standard error together. */
  output(): string;
  /** What `ready` matched; its groups may hold a port. */
  ready: RegExpExecArray | undefined;
  /** Exit code or signal. */
  ended: Promise<number | string | null>;
  /** Asks it to stop, and waits. */
  stop(signal?: NodeJS.Signals): Promise<number | string | null>;
  kill9(): Promise<void>;
}

/** What a process of its own gets of this one's environment: nothing that a setting could be in. */
export function bareEnvironment(): Record<string, string> {
  const { PATH = '', HOME = '', TMPDIR = '/tmp', NODE_COMPILE_CACHE } = process.env;
  return { PATH, HOME, TMPDIR, ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }) };
}

/**
 * Starts a Node process (`dist/server/server.js`, a script in TypeScript) and waits until it is ready. It ends with the test at the latest.
 *
 * @throws Error with the process's output when it ends, or takes too long, before it is ready.
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

/** A process that nobody has waited for yet is over all the same. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch (error) {
    return (error as NodeJS.ErrnoException).path !== undefined && process.platform !== 'linux';
  }
}
