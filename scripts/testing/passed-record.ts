import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectRoot } from '../../src/platform/settings/project-root.ts';

const file = join(projectRoot, '.cache/tests-passed.json');

/** Test files by path, each with the digest of its content when it last passed. */
type Record = { [path: string]: string };

const digest = (path: string): string =>
  createHash('sha256')
    .update(readFileSync(join(projectRoot, path)))
    .digest('hex');

/** Records that these files passed. */
export function recordPassed(paths: readonly string[]): void {
  const record = { ...read(), ...Object.fromEntries(paths.map((path) => [path, digest(path)])) };
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(record, null, 1)}\n`);
}

/** Returns whether a test file has passed in its current form. */
export function hasPassed(path: string): boolean {
  return read()[path] === digest(path);
}

function read(): Record {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record) : {};
}
