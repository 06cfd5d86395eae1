import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../src/platform/settings/project-root.ts';

const SOURCES = [
  'src',
  'islands',
  'cli',
  'migrations',
  // Kept pages have their views in the bundle.
  'views',
  'scripts/building',
  'vite.config.ts',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
];
const OUTPUTS = ['dist/client/.vite/manifest.json', 'dist/server/server.js', 'dist/cli/main.js'];

/**
 * Builds the bundle when a source is newer than the build. Prints nothing unless the build fails.
 *
 * @param onBuild called before a build starts.
 * @throws Error with the build's output.
 */
export function ensureBuilt(onBuild = () => {}): void {
  if (!isStale()) return;
  onBuild();
  const vite = join(projectRoot, 'node_modules/vite/bin/vite.js');
  const { status, stdout, stderr } = spawnSync(process.execPath, [vite, 'build', '--app', '--logLevel', 'warn'], {
    cwd: projectRoot,
    encoding: 'utf8',
    env: { ...process.env, NODE_ENV: 'production', NO_COLOR: '1' },
  });
  if (status !== 0) throw new Error(`vite build (code ${status})\n${stdout}${stderr}`);
}

function isStale(): boolean {
  const outputs = OUTPUTS.map((path) => join(projectRoot, path));
  if (!outputs.every((path) => existsSync(path))) return true;
  const built = Math.min(...outputs.map((path) => statSync(path).mtimeMs));
  return SOURCES.some((path) => newest(join(projectRoot, path)) > built);
}

/**
 * Returns the latest modification time of a file, or of a folder and its contents. A folder's own time changes when a file in it is
 * deleted.
 */
function newest(path: string): number {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats || /\.test\.tsx?$/.test(path)) return 0;
  if (!stats.isDirectory()) return stats.mtimeMs;
  return Math.max(stats.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
}

if (import.meta.main) ensureBuilt();
