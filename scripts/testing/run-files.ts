/**
 * Runs test files in a few Node processes, each of which takes the next group when it is done with one. tap's own runner gives each file a process,
 * and loads its loaders for coverage and mocks into all of them and those that a test starts: loading costs more than most files.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { isAlone } from './file-groups.ts';

/** For the two cores of a small machine: a file often waits, for a server, a browser, a timer. Each loads the sources, and a browser, for itself. */
const JOBS = 3;
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
    let current: TestProcess | undefined;
    const endCurrent = async () => {
      errors = (errors + ((await current?.end()) ?? '')).slice(-MAX_ERROR_OUTPUT);
      current = undefined;
    };
    for (const group of waiting) {
      const alone = group.some(isAlone);
      if (alone) await endCurrent();
      // What ends a process fails the file that was running; those behind it get a new one.
      for (let left = group; left.length > 0 && !options.signal.aborted; ) {
        current ??= startProcess(options);
        left = await current.run(left);
        if (current.hasEnded()) await endCurrent();
      }
      if (alone) await endCurrent();
    }
    await endCurrent();
  };
  await Promise.all(Array.from({ length: JOBS }, work));
  return errors;
}

interface TestProcess {
  /** Runs these files. @returns those that it has not begun, when it has ended before */
  run(files: readonly string[]): Promise<string[]>;
  hasEnded(): boolean;
  /** @returns the latest that it has written to its standard error */
  end(): Promise<string>;
}

function startProcess({ env, signal, onLine }: RunOptions): TestProcess {
  const child = spawn(process.execPath, ['--import=./test/support/tsx-hook.mjs', 'test/support/file-group.ts'], {
    // Each file has its own limit; all together have none.
    env: { ...env, TAP_TIMEOUT: '0' },
  });
  const stop = () => child.kill('SIGTERM');
  signal.addEventListener('abort', stop);
  const late = setTimeout(() => child.kill('SIGKILL'), KILLED_AFTER_MS);

  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    errors = (errors + chunk).slice(-MAX_ERROR_OUTPUT);
  });

  let left: string[] = [];
  let failed = false;
  let groupIsDone = () => {};
  /** Of a file, until it has ended: the lines of several processes come at once. */
  let lines: string[] = [];
  const flush = () => {
    for (const line of lines) onLine(line);
    lines = [];
  };
  // One that has just ended cannot be told of more: its end says so.
  child.stdin.on('error', () => {});
  const output = createInterface(child.stdout);
  output.on('line', (line) => {
    if (line.startsWith('# Subtest: ')) flush();
    lines.push(line);
    const [, not, name] = /^(not )?ok \d+ - (.*?)(?: # .*)?$/.exec(line) ?? [];
    if (name === undefined) return;
    failed ||= not !== undefined;
    if (name !== left[0]) return;
    left.shift();
    late.refresh();
    if (left.length === 0) groupIsDone();
  });

  let hasEnded = false;
  const closed = new Promise<number | NodeJS.Signals | null>((resolve) => {
    child.on('error', (error) => {
      errors += error.stack;
    });
    child.on('close', (code, killedBy) => resolve(killedBy ?? code));
  });
  const ended = Promise.all([closed, once(output, 'close')]).then(([end]) => {
    hasEnded = true;
    clearTimeout(late);
    signal.removeEventListener('abort', stop);
    flush();
    const running = left.shift();
    const fault = running ?? (end !== 0 && !failed ? 'a process of the tests' : undefined);
    if (fault !== undefined) for (const line of [`not ok - ${fault}`, '  ---', `  ended: ${end}`, '  ...']) onLine(line);
  });

  return {
    async run(files) {
      left = [...files];
      const done = new Promise<void>((resolve) => {
        groupIsDone = resolve;
      });
      child.stdin.write(`${JSON.stringify(files)}\n`);
      await Promise.race([done, ended]);
      return left;
    },
    hasEnded: () => hasEnded,
    async end() {
      child.stdin.end();
      await ended;
      return errors;
    },
  };
}
