/**
 * Runs test files: those of a group one after another in one Node process, several groups at once. tap's own runner gives each file a process,
 * and loads its loaders for coverage and mocks into all of them and those that a test starts: loading costs more than most files.
 */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** For the two cores of a small machine: a file often waits, for a server, a browser, a timer. */
const JOBS = 5;
/** Since the latest file has ended: a process hangs so that not even its own clock can say so, or does not end. */
const KILLED_AFTER_MS = 330_000;
const MAX_ERROR_OUTPUT = 200_000;

interface RunOptions {
  env: NodeJS.ProcessEnv;
  /** Ends the processes. */
  signal: AbortSignal;
  /** Lines of one TAP document, a file's together, with a subtest for each. */
  onLine: (line: string) => void;
}

/** @returns the latest that the files have written to their standard error. */
export async function runFiles(groups: readonly string[][], options: RunOptions): Promise<string> {
  const waiting = groups.values();
  let errors = '';
  const work = async () => {
    for (const group of waiting) {
      // What ends a process fails the file that was running; those behind it get a new one.
      for (let files = group; files.length > 0 && !options.signal.aborted; ) {
        const result = await runGroup(files, options);
        errors = (errors + result.errors).slice(-MAX_ERROR_OUTPUT);
        files = result.left;
      }
    }
  };
  await Promise.all(Array.from({ length: JOBS }, work));
  return errors;
}

/** @returns `left`: the files that the process has not begun. */
async function runGroup(files: string[], { env, signal, onLine }: RunOptions): Promise<{ left: string[]; errors: string }> {
  const child = spawn(process.execPath, ['--import=./test/support/tsx-hook.mjs', 'test/support/file-group.ts', ...files], {
    // Each file has its own limit; all together have none.
    env: { ...env, TAP_TIMEOUT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const stop = () => child.kill('SIGTERM');
  signal.addEventListener('abort', stop);
  const late = setTimeout(() => child.kill('SIGKILL'), KILLED_AFTER_MS);

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

  const left = [...files];
  let failed = false;
  /** Of a file, until it has ended: the lines of several processes come at once. */
  let lines: string[] = [];
  const flush = () => {
    for (const line of lines) onLine(line);
    lines = [];
  };
  for await (const line of createInterface(child.stdout)) {
    if (line.startsWith('# Subtest: ')) flush();
    lines.push(line);
    const [, not, name] = /^(not )?ok \d+ - (.*?)(?: # .*)?$/.exec(line) ?? [];
    if (name === undefined) continue;
    failed ||= not !== undefined;
    if (name !== left[0]) continue;
    left.shift();
    late.refresh();
  }
  flush();
  const end = await ended;
  clearTimeout(late);
  signal.removeEventListener('abort', stop);

  const running = left.shift();
  const fault = running ?? (end !== 0 && !failed ? `the process of ${files.join(', ')}` : undefined);
  if (fault !== undefined) for (const line of [`not ok - ${fault}`, '  ---', `  ended: ${end}`, '  ...']) onLine(line);
  return { left, errors };
}
