import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../src/platform/settings/project-root.ts';

const FOLDERS = 'src,cli,islands,simulators,scripts,test,bench';
/** A file that says so, and why, waits for `ALL=1`, the long form, or whoever asks for it. */
const SLOW = /^\/\/ Slow: /m;

interface Selection {
  /** Paths from the project's folder, in order. */
  files: string[];
  /** How many slow files are left out. */
  leftOut: number;
}

/**
 * @param asked paths, folders, or parts of paths; none: every file, the slow ones only `withSlow`
 * @param root of the project
 */
export function selectFiles(asked: readonly string[], { withSlow = false, root = projectRoot } = {}): Selection {
  const exclude = (name: string) => name === 'node_modules' || name === 'fixtures';
  const all = globSync(`{${FOLDERS}}/**/*.test.{ts,tsx}`, { cwd: root, exclude }).sort();
  if (asked.length === 0) {
    const files = withSlow ? all : all.filter((path) => !SLOW.test(readFileSync(join(root, path), 'utf8')));
    return { files, leftOut: all.length - files.length };
  }
  const exact = asked.filter((path) => statSync(join(root, path), { throwIfNoEntry: false })?.isFile());
  const parts = asked.filter((path) => !exact.includes(path));
  return { files: [...new Set([...exact, ...all.filter((path) => parts.some((part) => path.includes(part)))])], leftOut: 0 };
}
