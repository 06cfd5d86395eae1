/**
 * `make documents`: pastes or imports every document of a folder (../shared/documents, or the argument) and its subfolders, and reports for
 * each file its content and the result. The extension decides the method: clipboards (`.html`) go through the built editor in a real
 * browser, Word files (`.docx`), `.odt` and Markdown (`.md`) through the import, equations (`.test`) through the converter. Exit code 1 when
 * content was lost without a reason, 2 when there is no document. Files beside an `expected.json` hold questions and are compared with it.
 */
import { existsSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import type { Test } from 'tap';
import { openEmbeddedPostgres } from '../src/platform/database/embedded-postgres/embedded-postgres.ts';
import { projectRoot } from '../src/platform/settings/project-root.ts';
import { cells, columns, lossesOf, type Measured, table } from '../test/documents/losses.ts';
import { isOfSet, type MeasuredSet, measureSet } from '../test/documents/question-sets.ts';
import { ensureBuilt } from './build.ts';
import { unpackBrowser } from './testing/browser.ts';

const folder = resolve(process.argv[2] ?? join(projectRoot, '../shared/documents'));
if (!existsSync(folder)) {
  console.error(`Le dossier ${folder} n'existe pas : rien à mesurer.`);
  process.exit(2);
}
process.chdir(projectRoot);
// Needed because parts of the site are written in JSX.
const hook = '../test/support/tsx-hook.mjs';
await import(hook);

const measured: Measured[] = [];
const sets: MeasuredSet[] = [];
const failures: string[] = [];
const ways: readonly (readonly [RegExp, (paths: string[]) => Promise<void>])[] = [
  [/\.html?$/i, withEditor],
  [/\.docx$/i, (paths) => each(paths, async () => (await import('../test/documents/measure-office.ts')).measureDocx)],
  [/\.odt$/i, (paths) => each(paths, async () => (await import('../test/documents/measure-office.ts')).measureOdt)],
  [/\.(?:md|markdown)$/i, (paths) => each(paths, async () => (await import('../test/documents/measure-markdown.ts')).measureMarkdown)],
  [/\.test$/i, (paths) => each(paths, async () => (await import('../test/documents/measure-omml.ts')).measureOmml)],
];
const files = globSync('**/*', { cwd: folder, withFileTypes: true })
  .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
  .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
  .sort();
const ofSets = files.filter((file) => isOfSet(join(folder, file)) && !file.endsWith('expected.json'));
for (const file of ofSets) await attemptSet(file);
const documents = files.filter((file) => !isOfSet(join(folder, file)));
const unread = documents.filter((file) => !ways.some(([ending]) => ending.test(file)));
if (sets.length + failures.length === 0 && unread.length === documents.length) {
  console.error(`Rien à mesurer dans ${folder} : aucun fichier .html, .docx, .odt, .md ou .test.`);
  process.exit(2);
}
for (const [ending, measure] of ways) {
  const paths = documents.filter((file) => ending.test(file));
  if (paths.length > 0) await measure(paths);
}

const losses = measured.flatMap((one) => lossesOf(one).map((loss) => ({ file: one.file, ...loss })));
if (measured.length > 0) console.log(table([['fichier', ...columns], ...measured.map((one) => [one.file, ...cells(one)])]));
if (sets.length > 0) {
  const lines = sets.map(({ file, expected, found, faults }) => [file, String(expected), String(found), String(faults.length)]);
  console.log(table([['fichier', 'questions', 'reconnues', 'différences'], ...lines]));
  for (const { file, faults } of sets) for (const fault of faults) console.log(`${file} : ${fault}`);
}
if (losses.length > 0) {
  const lines = losses.map(({ file, what, lost, reason }) => [file, `${lost} ${what}`, reason ?? 'SANS RAISON']);
  console.log(`\nPertes\n${table(lines)}`);
}
for (const failure of failures) console.log(failure);
if (unread.length > 0) console.log(`\nNon lus : ${unread.join(', ')}`);
const different = sets.reduce((sum, { faults }) => sum + faults.length, 0);
const silent = losses.filter(({ reason }) => reason === null).length + failures.length + different;
console.log(`\n${measured.length + sets.length + failures.length} files, ${silent} lost without a reason`);
process.exitCode = silent > 0 ? 1 : 0;

async function each(paths: string[], way: () => Promise<(path: string) => Measured | Promise<Measured>>): Promise<void> {
  const measure = await way();
  for (const path of paths) await attempt(path, measure);
}

async function attemptSet(path: string): Promise<void> {
  try {
    sets.push({ ...(await measureSet(join(folder, path))), file: path });
  } catch (error) {
    failures.push(`${path} : ${error instanceof Error ? error.message : error}`);
  }
}

/** @param path relative to the folder, since two files may have the same base name */
async function attempt(path: string, measure: (path: string) => Measured | Promise<Measured>): Promise<void> {
  try {
    const one = await measure(join(folder, path));
    measured.push({ ...one, file: one.file.replace(basename(path), path) });
  } catch (error) {
    failures.push(`${path} : ${error instanceof Error ? error.message : error}`);
  }
}

/** Starts the site on its own database and opens the editor of a new lesson in a browser. */
async function withEditor(paths: string[]): Promise<void> {
  ensureBuilt();
  const dataDir = mkdtempSync(join(tmpdir(), 'prepa-documents-'));
  const endings: (() => unknown)[] = [() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 })];
  // The test support functions call only `teardown` and `fail` of a test.
  const t = { teardown: (end: () => unknown) => endings.push(end), fail: (text: string) => failures.push(text) } as unknown as Test;
  try {
    const postgres = await openEmbeddedPostgres({ dataDir, settings: { fsync: 'off', synchronous_commit: 'off' } });
    endings.push(() => postgres.close());
    Object.assign(process.env, { NODE_ENV: 'test', TEST_DATABASE_URL: postgres.url, TEST_BROWSER: unpackBrowser() });
    const { createTemplate } = await import('../test/support/template.ts');
    await createTemplate(postgres.url);
    const page = await openEditor(t);
    const { measurePaste } = await import('../test/documents/paste-in-editor.ts');
    for (const path of paths) await attempt(path, (full) => measurePaste(page, full));
  } finally {
    for (const end of endings.toReversed()) await end();
  }
}

async function openEditor(t: Test): Promise<Page> {
  const { openEmptyLesson } = await import('../test/documents/open-editor.ts');
  return openEmptyLesson(t);
}
