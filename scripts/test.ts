/**
 * Runs the tests against real services: one PostgreSQL for all of them, the built bundle, a real browser. Arguments select files: a path, a
 * folder, or a part of a path. Without arguments all files run except the slow ones; ALL=1 or LONG=1 includes these. TOPOLOGY chooses how
 * the services are arranged. STATEMENTS names a file for all statements that PostgreSQL receives (`make shards`).
 */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedPostgres } from '../src/platform/database/embedded-postgres/embedded-postgres.ts';
import { projectRoot } from '../src/platform/settings/project-root.ts';
import { ensureBuilt } from './build.ts';
import { unpackBrowser } from './testing/browser.ts';
import { groupFiles } from './testing/file-groups.ts';
import { recordPassed } from './testing/passed-record.ts';
import { recordingSettings, startRecording, writeRecorded } from './testing/recorded-statements.ts';
import { runFiles } from './testing/run-files.ts';
import { selectFiles } from './testing/select-files.ts';
import { type FileResult, TapReport } from './testing/tap-report.ts';
import { openTopology } from './testing/topologies.ts';

/** The database does not need to survive a power cut, which makes it several times faster. */
const SETTINGS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' };
/** A file system in memory, on Linux. */
const MEMORY = '/dev/shm';
/** Free memory required, in bytes: the databases of a run take a third of it. */
const ENOUGH_MEMORY = 3 * 1024 ** 3;

/** The file for the recorded statements. */
const statementsFile = process.env.STATEMENTS;

const aborted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => aborted.abort(new Error(`stopped by ${signal}`)));
}

process.chdir(projectRoot);
const passedFiles: string[] = [];
/** Why the tests could not run, or null. */
let skipped: string | null = null;
let slowLeftOut = 0;
/** Failed assertions, repeated at the end of a long run. */
const failures: string[] = [];
const report = new TapReport(showFile);
try {
  const { files, leftOut } = selectFiles(process.argv.slice(2), { withSlow: process.env.ALL === '1' || process.env.LONG === '1' });
  slowLeftOut = leftOut;
  if (files.length > 0) await runTests(files);
  else console.log('No test file matches.');
} catch (error) {
  report.failed += 1;
  console.log(`\n${error instanceof Error ? error.stack : error}`);
}
if (failures.length > 0) console.log(`Failed:\n${failures.map((failure) => `  ${failure}`).join('\n')}\n`);
if (slowLeftOut > 0) console.log(`${slowLeftOut} slow test files left out; make test ALL=1 runs them, too`);
if (report.skipped > 0) console.log(`${report.skipped} skipped`);
if (skipped) console.log(`skipped: ${skipped}`);
process.exitCode = report.failed > 0 || (report.passed === 0 && !skipped) ? 1 : 0;
console.log(`${report.passed} passed, ${report.failed} failed`);

async function runTests(files: string[]): Promise<void> {
  ensureBuilt();
  const browser = unpackBrowser();
  const folder = mkdtempSync(join(runFolder(), 'prepa-test-'));
  // Temporary files of tests, servers and browsers are on the same file system as the databases.
  const temporary = join(folder, 'tmp');
  mkdirSync(temporary);
  // PostgreSQL may run as another user and must reach its data folder.
  chmodSync(folder, 0o711);
  const postgres = await openEmbeddedPostgres({ dataDir: folder, settings: { ...SETTINGS, ...(statementsFile && recordingSettings) } });
  try {
    // Imported here, so that sources that do not load are reported like any other failure.
    const { createTemplate } = await import('../test/support/template.ts');
    await createTemplate(postgres.url);
    aborted.signal.throwIfAborted();
    const topology = await openTopology(process.env.TOPOLOGY || 'direct', { postgres, folder });
    if ('missing' in topology) {
      skipped = topology.missing;
      return;
    }
    try {
      if (statementsFile) await startRecording(postgres.url);
      await runTap(files, {
        TEST_DATABASE_URL: postgres.url,
        TEST_DATABASE_HOST: topology.databaseHost ?? '',
        TEST_SITE_ENVIRONMENT: JSON.stringify(topology.env),
        TEST_BROWSER: browser,
        TEST_FOLDER: folder,
        TMPDIR: temporary,
      });
      aborted.signal.throwIfAborted();
      if (statementsFile) await writeRecorded(postgres.url, statementsFile);
    } finally {
      await topology.close();
    }
  } finally {
    await postgres.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/**
 * Returns a folder in memory if possible: hundreds of databases of 500 files each are created and dropped, which takes half the time in the
 * kernel there.
 */
function runFolder(): string {
  if (!existsSync(MEMORY)) return tmpdir();
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize > ENOUGH_MEMORY ? MEMORY : tmpdir();
}

async function runTap(files: string[], env: Record<string, string>): Promise<void> {
  const errors = await runFiles(groupFiles(files), {
    // Processes load the same sources, so the compiled code is cached.
    env: {
      NODE_COMPILE_CACHE: join(projectRoot, '.cache/compiled'),
      ...process.env,
      NODE_ENV: 'test',
      NO_COLOR: '1',
      FORCE_COLOR: undefined,
      ...env,
    },
    signal: aborted.signal,
    onLine: (line) => report.line(line),
  });
  report.end();
  recordPassed(passedFiles);
  if (report.failed > 0 && errors.trim()) console.log(`\nStandard error of the tests\n${errors.trimEnd()}\n`);
}

function showFile({ name, ok, passed, seconds, failures: found, output }: FileResult): void {
  if (ok) {
    if (passed > 0) passedFiles.push(name);
    console.log(`ok  ${name} (${passed}${seconds === null ? '' : `, ${seconds.toFixed(1)} s`})`);
    return;
  }
  console.log(`\nFAILED  ${name} (${passed} passed, ${found.length} failed)`);
  for (const { path, details } of found) {
    failures.push(path.join(' > '));
    console.log(`\n  ${path.slice(1).join(' > ') || path[0]}`);
    for (const line of details) console.log(`    ${line}`);
  }
  if (output.length > 0) console.log(`\n  Standard output\n${output.map((line) => `    ${line}`).join('\n')}`);
  console.log('');
}
