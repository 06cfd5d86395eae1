import type { Test } from 'tap';

/** Test objects in a process that runs a group of files; empty when a file runs alone. */
export const running: {
  /** Lives as long as the process. */
  process?: Test;
  /** The test of each file, by its URL. */
  files: Map<string, Test>;
} = { files: new Map() };
