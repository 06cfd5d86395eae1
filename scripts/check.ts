/** Runs all checks that do not need the running application, and prints every failure. */
import { execFile } from 'node:child_process';
import { projectRoot } from '../src/platform/settings/project-root.ts';
import { ensureBuilt } from './build.ts';
import { checkStyles } from './checks/browsers.ts';
import { checkConformance } from './checks/conformance.ts';
import { checkDeployment } from './checks/deployment.ts';
import { reportImports } from './checks/imports.ts';
import { checkLicences } from './checks/licences.ts';
import { checkMigrationSafety } from './checks/migrations.ts';
import { checkSecurity } from './checks/security.ts';

const parts: [name: string, check: () => Promise<string | null>][] = [
  ['types', () => tool('node_modules/typescript/bin/tsc', '--noEmit', '--pretty', 'false')],
  ['lint', () => tool('node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '--max-diagnostics=200', '--colors=off')],
  ['import rules', () => reportImports()],
  ['styles that browsers know', checkStyles],
  ['scripts that browsers know', checkScripts],
  ['unused code', () => tool('node_modules/knip/bin/knip.js', '--no-progress', '--no-config-hints')],
  ['migrations', checkMigrations],
  ['migrations of a site in use', checkMigrationSafety],
  ['what would cross shards', () => tool('--import', './test/support/tsx-hook.mjs', 'scripts/shards.ts', '--constraints')],
  ['security', checkSecurity],
  ['deployment', checkDeployment],
  ['licences', () => checkLicences()],
  ['API description', () => tool('--import', './test/support/tsx-hook.mjs', 'scripts/openapi.ts', '--check')],
];

/**
 * Checks the built scripts against the language of the oldest supported browsers. All of these browsers support the features in the allow
 * list.
 */
function checkScripts(): Promise<string | null> {
  ensureBuilt();
  const known = '--allowList=StringIsWellFormed,StringToWellFormed';
  return tool(
    'node_modules/es-check/lib/cli/index.js',
    'es2023',
    '--module',
    '--checkFeatures',
    '--quiet',
    known,
    'dist/client/assets/*.js',
    'dist/client/service-worker.js',
  );
}

/** Compares the migrations with the entities, offline. The import is here so that sources that do not load fail this check only. */
async function checkMigrations(): Promise<string | null> {
  return (await import('../src/migrations.ts')).checkMigrations();
}

/** Runs Node with these arguments; returns its output when it fails, null when it succeeds. */
function tool(...args: string[]): Promise<string | null> {
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: projectRoot, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      resolve(error ? `${stdout}${stderr}`.trim() || error.message : null);
    });
  });
}

/** Runs a check and prints its result at once. */
async function run(name: string, check: () => Promise<string | null>): Promise<boolean> {
  const started = performance.now();
  const problem = await check().catch((error: Error) => error.stack ?? error.message);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(problem === null ? `ok      ${name} (${seconds} s)` : `FAILED  ${name} (${seconds} s)\n\n${problem}\n`);
  return problem === null;
}

process.chdir(projectRoot);
const held = await Promise.all(parts.map(([name, check]) => run(name, check)));
// Runs alone and last, because it may run tests.
const holds = held.every(Boolean) && (await run('conformance', checkConformance));
process.exitCode = holds ? 0 : 1;
