/**
 * Runs test files, each in a Node process of its own, several at once. tap's own runner does the same, but loads its loaders for coverage and
 * mocks into every process, and into those that a test starts, which costs more than most files; and it sorts the files.
 */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const JOBS = 3;
/** In seconds, for a file: the test that is running then fails; a process that hangs so that it cannot say so is killed. */
const TIMEOUT = 300;
const KILLED_AFTER = 330;
const MAX_ERROR_OUTPUT = 200_000;

interface RunOptions {
  env: NodeJS.ProcessEnv;
  /** Ends the processes. */
  signal: AbortSignal;
  /** Lines of one TAP document, a file's together, with a subtest for each. */
  onLine: (line: string) => void;
}

/** @returns the latest that the files have written to their standard error. */
export async function runFiles(files: readonly string[], { env, signal, onLine }: RunOptions): Promise<string> {
  const waiting = files.values();
  let errors = '';
  const work = async () => {
    for (const file of waiting) {
      if (signal.aborted) return;
      const result = await runFile(file, env, signal);
      for (const line of result.lines) onLine(line);
      errors = (errors + result.errors).slice(-MAX_ERROR_OUTPUT);
    }
  };
  await Promise.all(Array.from({ length: JOBS }, work));
  return errors;
}

async function runFile(file: string, env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<{ lines: string[]; errors: string }> {
  const started = performance.now();
  const child = spawn(process.execPath, ['--import=./test/support/tsx-hook.mjs', file], {
    env: { ...env, TAP_TIMEOUT: String(TIMEOUT) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const stop = () => child.kill('SIGTERM');
  signal.addEventListener('abort', stop);
  const late = setTimeout(() => child.kill('SIGKILL'), KILLED_AFTER * 1000);

  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    errors = (errors + chunk).slice(-MAX_ERROR_OUTPUT);
  });
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) => {
    child.on('error', (error) => {
      errors += error.stack;
    });
    child.on('close', (code, killedBy) => resolve(killedBy ?? code));
  });
  const lines = [`# Subtest: ${file}`];
  let points = 0;
  let plan: number | undefined;
  for await (const line of createInterface(child.stdout)) {
    lines.push(`    ${line}`);
    if (/^(not )?ok\b/.test(line)) points += 1;
    plan ??= numberIn(/^1\.\.(\d+)/.exec(line));
  }
  const end = await ended;
  clearTimeout(late);
  signal.removeEventListener('abort', stop);

  const ok = end === 0 && plan === points;
  lines.push(`${ok ? 'ok' : 'not ok'} - ${file} # time=${(performance.now() - started).toFixed(3)}ms`);
  if (!ok) lines.push('  ---', `  ended: ${end}`, `  tests: ${points}`, `  planned: ${plan ?? 'none'}`, '  ...');
  return { lines, errors };
}

const numberIn = (match: RegExpExecArray | null): number | undefined => (match ? Number(match[1]) : undefined);
