import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../src/platform/settings/project-root.ts';

const FOLDERS = 'src,cli,islands,simulators,scripts,test,bench';
/** Matches the comment, with a reason, of a file that runs only with `ALL=1`, in the long form, or when it is named. */
const SLOW = /^\/\/ Slow: /m;

interface Selection {
  /** Paths relative to the project's folder, sorted. */
  files: string[];
  /** Number of slow files left out. */
  leftOut: number;
}

/**
 * @param asked paths, folders, or parts of paths; if empty, every file, the slow ones only with `withSlow`
 * @param root the project's folder
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
