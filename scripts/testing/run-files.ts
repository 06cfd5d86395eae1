/**
 * Runs test files in a few Node processes, each of which takes the next group when its group has ended. tap's own runner starts a process
 * per file, and loads its coverage and mock loaders into all of them and their child processes; this loading takes longer than most files.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { isAlone } from './file-groups.ts';

/**
 * For a machine with two cores: a file often waits for a server, a browser or a timer. Each process loads the sources, and a browser, for
 * itself.
 */
const JOBS = 3;
/** Time since the last file ended, in ms, after which a process is killed: it hangs without firing its own timers, or does not end. */
const KILLED_AFTER_MS = 330_000;
const MAX_ERROR_OUTPUT = 200_000;

interface RunOptions {
  env: NodeJS.ProcessEnv;
  /** Aborts the run and ends the processes. */
  signal: AbortSignal;
  /** Receives the lines of one TAP document with a subtest per file; the lines of a file come together. */
  onLine: (line: string) => void;
}

/** @returns the end of the files' standard error. */
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
      // If a process ends early, its current file fails and the remaining files run in a new process.
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
  /** Runs these files. @returns the files not yet begun, if the process ended early */
  run(files: readonly string[]): Promise<string[]>;
  hasEnded(): boolean;
  /** @returns the end of its standard error */
  end(): Promise<string>;
}

function startProcess({ env, signal, onLine }: RunOptions): TestProcess {
  const child = spawn(process.execPath, ['--import=./test/support/tsx-hook.mjs', 'test/support/file-group.ts'], {
    // Each file has its own timeout; the group has none.
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
  /** Lines of the current file, kept until it has ended, because the lines of several processes arrive mixed. */
  let lines: string[] = [];
  const flush = () => {
    for (const line of lines) onLine(line);
    lines = [];
  };
  // Writing to a process that has just ended fails; its exit is handled elsewhere.
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
