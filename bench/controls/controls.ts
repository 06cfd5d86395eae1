/**
 * Removes the security controls of `controls/` one at a time, in a copy of the sources, and runs the test file of each. The test that the
 * control names must fail. docs/security.md lists a control as tested only if this failure was observed.
 */
import { spawn } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { unpackBrowser } from '../../scripts/testing/browser.ts';
import { type FileResult, TapReport } from '../../scripts/testing/tap-report.ts';
import { projectRoot } from '../../src/platform/settings/project-root.ts';
import type { Workshop } from '../support/workshop.ts';
import type { Control } from './control.ts';
import { controls } from './list.ts';

/** Folders that are not copied: node_modules is linked, the others contain no sources. */
const leftOut = new Set(['node_modules', '.git', '.cache', '.data', '.tap']);
/** Timeout of a run of up to four test files, in ms; longer for more files. A test whose control was removed may wait forever. */
const runWithin = 240_000;

/** @param only names of controls, separated by commas; without it, all controls */
export async function soakControls(workshop: Workshop, only: string | undefined): Promise<boolean> {
  const names = Object.keys(controls).filter((name) => !only || only.split(',').includes(name));
  if (names.length === 0) throw new Error(`no control is called ${only}`);
  const copy = copySources(workshop);
  const tests = [...new Set(names.map((name) => controlOf(name).test))];
  console.log(`${names.length} controls, ${tests.length} test files; with all controls:`);
  const unsound = (await runTests(workshop, copy, tests)).filter(({ ok }) => !ok);
  if (unsound.length > 0) {
    console.log('these fail before anything is taken away, and would show nothing:');
    for (const { failures } of unsound) for (const { path } of failures) console.log(`  ${path.join(' > ')}`);
    return false;
  }
  console.log('all of them pass');

  const lines: string[] = [];
  for (const name of names) {
    const verdict = await takeAway(workshop, copy, controlOf(name));
    const { file, test, title } = controlOf(name);
    lines.push(`| ${name} | ${file} | ${test} | ${title} | ${verdict} |`);
    console.log(`${verdict.padEnd(6)} ${name}`);
  }
  const caught = lines.filter((line) => line.endsWith('| yes |')).length;
  console.log(['', '| Control | File | Test file | Test | Caught |', '|---|---|---|---|---|', ...lines, ''].join('\n'));
  console.log(`${names.length} controls taken away, ${caught} caught, not caught ${names.length - caught}`);
  return caught === names.length;
}

function controlOf(name: string): Control {
  const control = controls[name];
  if (!control) throw new Error(`no control is called ${name}`);
  return control;
}

function copySources({ folder }: Workshop): string {
  const copy = join(folder, 'sources');
  for (const name of readdirSync(projectRoot)) {
    if (!leftOut.has(name)) cpSync(join(projectRoot, name), join(copy, name), { recursive: true });
  }
  symlinkSync(join(projectRoot, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

/** Returns 'yes' when the named test fails without the control, 'no' when it passes, otherwise a description of what happened. */
async function takeAway(workshop: Workshop, copy: string, { file, from, to, test, title }: Control): Promise<string> {
  const path = join(copy, file);
  const source = readFileSync(path, 'utf8');
  if (source.split(from).length !== 2) return 'gone: the control is no longer there';
  writeFileSync(
    path,
    source.replace(from, () => to),
  );
  try {
    const [result] = await runTests(workshop, copy, [test]);
    if (!result) return 'the test did not end';
    if (result.ok) return 'no';
    const failed = result.failures.map((failure) => failure.path.slice(1).join(' > '));
    return failed.some((name) => name.includes(title)) ? 'yes' : `by another test: ${failed[0]}`;
  } finally {
    writeFileSync(path, source);
  }
}

/** Runs the test files in the copy, one after another in one process, and returns their results. */
async function runTests(workshop: Workshop, copy: string, files: string[]): Promise<FileResult[]> {
  const results: FileResult[] = [];
  const report = new TapReport((result) => results.push(result));
  const child = spawn(process.execPath, ['--import=./test/support/tsx-hook.mjs', 'test/support/file-group.ts'], {
    cwd: copy,
    env: {
      ...process.env,
      NODE_ENV: 'test',
      NO_COLOR: '1',
      FORCE_COLOR: undefined,
      TAP_TIMEOUT: '0',
      NODE_COMPILE_CACHE: join(workshop.folder, 'compiled'),
      TEST_DATABASE_URL: await workshop.server(),
      TEST_FOLDER: workshop.folder,
      TEST_BROWSER: unpackBrowser(),
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  // If the process ends early, the missing results report it.
  child.stdin.on('error', () => {});
  child.stdin.end(`${JSON.stringify(files)}\n`);
  const stop = () => child.kill('SIGKILL');
  workshop.signal.addEventListener('abort', stop);
  const late = setTimeout(stop, runWithin * Math.max(1, files.length / 4));
  for await (const line of createInterface(child.stdout)) report.line(line);
  report.end();
  clearTimeout(late);
  workshop.signal.removeEventListener('abort', stop);
  return results;
}
