import type { Test } from 'tap';

/** The tests of a process that runs a group of files; none where a file runs by itself. */
export const running: {
  /** Lasts as long as the process. */
  process?: Test;
  /** Of each file, by its address. */
  files: Map<string, Test>;
} = { files: new Map() };
