/**
 * `make documents`: pastes and imports every document of a folder (../shared/documents, or the one that is named) and says, file by file,
 * what it held and what came of it. Clipboards (`clipboard/*.html`) go through the built editor in a real browser, Word files
 * (`word/*.docx`) through the import, equations (`omml/*.test`) through the converter. Ends with 1 when something was lost without a
 * reason, with 2 when the folder is not there.
 */
import { existsSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import type { Test } from 'tap';
import { openEmbeddedPostgres } from '../src/platform/embedded-postgres.ts';
import { cells, columns, lossesOf, type Measured, table } from '../test/documents/losses.ts';
import { unpackBrowser } from './browser.ts';
import { ensureBuilt } from './build.ts';
import { root } from './root.ts';

const folder = resolve(process.argv[2] ?? join(root, '../shared/documents'));
if (!existsSync(folder)) {
  console.error(`Le dossier ${folder} n'existe pas : rien à mesurer.`);
  process.exit(2);
}
process.chdir(root);
// Parts of the site are written in JSX.
const hook = '../test/support/tsx-hook.mjs';
await import(hook);

const measured: Measured[] = [];
const failures: string[] = [];
await group('clipboard/*.html', withEditor);
await group('word/*.docx', async (paths) => {
  const { measureDocx } = await import('../test/documents/measure-docx.ts');
  for (const path of paths) await attempt(path, () => measureDocx(path));
});
await group('omml/*.test', async (paths) => {
  const { measureOmml } = await import('../test/documents/measure-omml.ts');
  for (const path of paths) await attempt(path, async () => measureOmml(path));
});

const losses = measured.flatMap((one) => lossesOf(one).map((loss) => ({ file: one.file, ...loss })));
console.log(table([['fichier', ...columns], ...measured.map((one) => [one.file, ...cells(one)])]));
if (losses.length > 0) {
  const lines = losses.map(({ file, what, lost, reason }) => [file, `${lost} ${what}`, reason ?? 'SANS RAISON']);
  console.log(`\nPertes\n${table(lines)}`);
}
for (const failure of failures) console.log(failure);
const silent = losses.filter(({ reason }) => reason === null).length + failures.length;
console.log(`\n${measured.length + failures.length} files, ${silent} lost without a reason`);
process.exitCode = silent > 0 || measured.length === 0 ? 1 : 0;

async function group(pattern: string, measure: (paths: string[]) => Promise<void>): Promise<void> {
  const paths = globSync(pattern, { cwd: folder }).sort();
  if (paths.length > 0) await measure(paths.map((path) => join(folder, path)));
}

async function attempt(path: string, measure: () => Promise<Measured>): Promise<void> {
  try {
    measured.push(await measure());
  } catch (error) {
    failures.push(`${path} : ${error instanceof Error ? error.message : error}`);
  }
}

/** The site on a database of its own, and the editor of a new lesson in a browser. */
async function withEditor(paths: string[]): Promise<void> {
  ensureBuilt();
  const dataDir = mkdtempSync(join(tmpdir(), 'prepa-documents-'));
  const endings: (() => unknown)[] = [() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 })];
  // What the tests' support needs of a test: where to put what is to be ended.
  const t = { teardown: (end: () => unknown) => endings.push(end), fail: (text: string) => failures.push(text) } as unknown as Test;
  try {
    const postgres = await openEmbeddedPostgres({ dataDir, settings: { fsync: 'off', synchronous_commit: 'off' } });
    endings.push(() => postgres.close());
    Object.assign(process.env, { NODE_ENV: 'test', TEST_DATABASE_URL: postgres.url, TEST_BROWSER: unpackBrowser() });
    const { createTemplate } = await import('../test/support/template.ts');
    await createTemplate(postgres.url);
    const page = await openEditor(t);
    const { measurePaste } = await import('../test/documents/paste-in-editor.ts');
    for (const path of paths) await attempt(path, () => measurePaste(page, path));
  } finally {
    for (const end of endings.toReversed()) await end();
  }
}

async function openEditor(t: Test): Promise<Page> {
  const { openEmptyLesson } = await import('../test/documents/open-editor.ts');
  return openEmptyLesson(t);
}
