// Slow: it runs test files in processes of their own.
import { join, relative } from 'node:path';
import t from 'tap';
import { projectRoot } from '../../src/platform/settings/project-root.ts';
import { block } from '../../test/support/block.ts';
import { groupFiles } from './file-groups.ts';
import { runFiles } from './run-files.ts';
import { type FileResult, TapReport } from './tap-report.ts';

t.test('each file of a group is counted and fails separately', async (t) => {
  const passes = "import t from 'tap'; t.test('inside', async (t) => t.ok(true)); t.teardown(() => console.log('closed'));";
  const sources = {
    'a.test.ts': passes,
    'b.test.ts': "throw new Error('does not load');",
    'c.test.ts': "import t from 'tap'; t.ok(true); process.exit(0);",
    'd.test.ts': "process.kill(process.pid, 'SIGKILL'); await new Promise(() => {});",
    'e.test.ts': "import t from 'tap'; t.ok(true); globalThis.fetch = async () => new Response();",
    'f.test.ts': '',
    'g.test.ts': passes,
    'h.test.ts': `import t from 'tap'; t.test('waits', () => new Promise(() => { setTimeout(() => { throw new Error('from a timer'); }); }));`,
    'i.test.ts': `import t from 'tap'; t.test('waits', () => { Promise.reject(new Error('nobody looks')); return new Promise(() => {}); });`,
    'j.test.ts': `${passes} await new Promise(() => { setTimeout(() => { throw new Error('while it loads'); }); });`,
    'k.test.ts': passes,
  };
  const folder = relative(projectRoot, t.testdir(sources));
  const files = Object.keys(sources).map((name) => join(folder, name));
  const results: FileResult[] = [];
  const report = new TapReport((result) => results.push(result));
  await runFiles([files], { env: process.env, signal: new AbortController().signal, onLine: (line) => report.line(line) });
  report.end();

  const found = results.map(({ name, ok, passed }) => `${relative(folder, name)} ${ok} ${passed}`);
  const leak = `${relative(folder, files[4] ?? '')} leaves fetch changed for the next file false 0`;
  t.same(found, [
    'a.test.ts true 1',
    'b.test.ts false 0',
    'c.test.ts false 1',
    'd.test.ts false 0',
    'e.test.ts true 1',
    leak,
    'f.test.ts false 0',
    'g.test.ts true 1',
    'h.test.ts false 0',
    'i.test.ts false 0',
    'j.test.ts false 1',
    'k.test.ts true 1',
  ]);
  const failures = results.flatMap((result) => result.failures.map(({ path, details }) => `${path.slice(1)} ${details.join(' ')}`));
  for (const message of ['does not load', 'waits.*from a timer', 'waits.*nobody looks', 'while it loads'])
    t.ok(
      failures.some((failure) => new RegExp(message).test(failure)),
      message,
    );
  t.equal(report.passed, 6);
});

t.test('a process takes the next group after its own, but not a file marked Alone', async (t) => {
  const source = "import t from 'tap'; t.pass('process ' + process.pid);";
  const names = Array.from({ length: 20 }, (_, index) => `${index}.test.ts`);
  const alone = `// Alone: it looks at its process.\n${source}`;
  const folder = relative(projectRoot, t.testdir({ ...Object.fromEntries(names.map((name) => [name, source])), 'alone.test.ts': alone }));
  const groups = ['alone.test.ts', ...names, 'alone.test.ts'].map((name) => [join(folder, name)]);
  const processes: string[] = [];
  const onLine = (line: string) => {
    const [, pid] = /process (\d+)/.exec(line) ?? [];
    if (pid) processes.push(pid);
  };
  await runFiles(groups, { env: process.env, signal: new AbortController().signal, onLine });
  t.equal(processes.length, groups.length);
  t.ok(new Set(processes).size <= 5, `${new Set(processes).size} processes`);
  const counts = Map.groupBy(processes, (pid) => pid);
  t.ok([...counts.values()].filter(({ length }) => length === 1).length >= 2, 'at least two processes run one file each');
});

t.test('a process stays alive between groups, and closes shared services at the end', { timeout: 30_000 }, async (t) => {
  const running = join(projectRoot, 'test/support/running.ts');
  const source = `import { running } from '${running}'; import t from 'tap'; t.pass('ran');
    running.process.teardown(() => console.log('closed by ' + process.pid));`;
  const names = Array.from({ length: 12 }, (_, index) => `${index}.test.ts`);
  const folder = relative(projectRoot, t.testdir(Object.fromEntries(names.map((name) => [name, source]))));
  const lines: string[] = [];
  const onLine = (line: string) => {
    lines.push(line);
    // Blocks the process that hands out the groups.
    if (/^ok \d+ - .*\.test\.ts/.test(line)) block(100);
  };
  const groups = names.map((name) => [join(folder, name)]);
  await runFiles(groups, { env: process.env, signal: AbortSignal.any([]), onLine });
  t.equal(lines.filter((line) => /^ok \d+ - .*\.test\.ts/.test(line)).length, names.length);
  t.equal(lines.filter((line) => line.startsWith('closed by')).length, names.length);
});

t.test('every file is in exactly one group', async (t) => {
  const folder = t.testdir({
    src: Object.fromEntries(Array.from({ length: 23 }, (_, index) => [`${index}.test.ts`, ''])),
    'alone.test.ts': '// Alone: it measures the memory of its process.\n',
  });
  const files = [...Array.from({ length: 23 }, (_, index) => join(folder, `src/${index}.test.ts`)), join(folder, 'alone.test.ts')];
  const groups = groupFiles(files);
  t.same(groups[0], [join(folder, 'alone.test.ts')]);
  t.same(groups.flat().sort(), [...files].sort());
  t.ok(groups.length <= 9, `${groups.length} groups`);
});
