import { type ChildProcess, execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '../../src/platform/settings/project-root.ts';
import { isLongForm } from './long-form.ts';
import { bareEnvironment } from './process.ts';

interface Run {
  code: number;
  out: string;
  error: string;
}

interface Host {
  child: ChildProcess;
  runs: number;
}

const main = join(projectRoot, 'dist/cli/main.js');
/** The modules loaded by each run stay in the process's memory. */
const RUNS_PER_HOST = 40;
/** Processes by their Node options: idle ones, and those in use. */
const idle = new Map<string, Host>();
const busy = new Set<string>();

/**
 * Runs `prepa …` from the bundle, with a separate environment. Starting a process takes most of the time, so successive runs share one
 * process. Concurrent runs, and all runs in the long form, have their own processes.
 */
export async function runPrepa(args: readonly string[], env: Record<string, string>): Promise<Run> {
  const whole = { ...bareEnvironment(), ...env };
  const { NODE_OPTIONS = '' } = env;
  if (isLongForm || busy.has(NODE_OPTIONS)) return runAlone(args, whole);
  busy.add(NODE_OPTIONS);
  const host = idle.get(NODE_OPTIONS) ?? { child: startHost(NODE_OPTIONS), runs: 0 };
  idle.delete(NODE_OPTIONS);
  const { child } = host;
  try {
    const run = await runThere(child, args, whole);
    host.runs += 1;
    if (host.runs < RUNS_PER_HOST) idle.set(NODE_OPTIONS, host);
    else child.disconnect();
    return run;
  } finally {
    busy.delete(NODE_OPTIONS);
    // It must not keep this process running; it ends with it.
    child.unref();
    child.channel?.unref();
  }
}

/** Runs the command in a separate process. */
export function runAlone(args: readonly string[], env: Record<string, string>): Promise<Run> {
  return new Promise((resolve) => {
    execFile(process.execPath, [main, ...args], { cwd: tmpdir(), env }, (failure, out, error) =>
      resolve({ code: failure ? Number(failure.code) : 0, out, error }),
    );
  });
}

async function runThere(child: ChildProcess, args: readonly string[], env: Record<string, string>): Promise<Run> {
  child.ref();
  child.channel?.ref();
  const answered = new AbortController();
  const { signal } = answered;
  try {
    child.send({ args, env });
    return await Promise.race([
      once(child, 'message', { signal }).then(([run]) => run as Run),
      once(child, 'exit', { signal }).then(([code, killedBy]) => {
        throw new Error(`prepa ${args.join(' ')} has ended its process: ${killedBy ?? code}`);
      }),
    ]);
  } finally {
    answered.abort();
  }
}

function startHost(NODE_OPTIONS: string): ChildProcess {
  return fork(join(import.meta.dirname, 'terminal-host.ts'), [main], {
    cwd: tmpdir(),
    env: { ...bareEnvironment(), NODE_OPTIONS },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
}
