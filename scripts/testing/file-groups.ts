import { readFileSync } from 'node:fs';

/** Would end the run alone unless it started first. */
const LONGEST = 'test/journeys/pages.test.ts';
/**
 * Number of files in a process's group. Files in neighbouring folders load the same sources. Files of test/ are slower and start first;
 * groups of the other files become smaller, so that the last one does not run alone for long.
 */
const MAX_FILES = { test: 6, others: 16 };
const MIN_FILES = 3;
/** Part of the remaining files that forms the next group. */
const PART = 1 / 10;
/** Matches the comment, with a reason, of a file that runs in its own process. */
const ALONE = /^\/\/ Alone: /m;

export const isAlone = (file: string): boolean => ALONE.test(readFileSync(file, 'utf8'));

/** Returns every file in one group: neighbours in their folders, which load the same sources; the longest groups first. */
export function groupFiles(files: readonly string[]): string[][] {
  const sorted = [...files].sort();
  const single = sorted.filter((file) => file === LONGEST || isAlone(file));
  const shared = sorted.filter((file) => !single.includes(file));
  const [slow, quick] = [shared.filter(isSlow), shared.filter((file) => !isSlow(file))];
  return [
    ...single.map((file) => [file]).sort(([a], [b]) => Number(b === LONGEST) - Number(a === LONGEST)),
    ...chunks(slow, MAX_FILES.test),
    ...shrinkingChunks(quick),
  ];
}

const isSlow = (file: string): boolean => file.startsWith('test/');

const chunks = (files: string[], size: number): string[][] =>
  Array.from({ length: Math.ceil(files.length / size) }, (_, index) => files.slice(index * size, (index + 1) * size));

function shrinkingChunks(files: string[]): string[][] {
  if (files.length === 0) return [];
  const size = Math.min(MAX_FILES.others, Math.max(MIN_FILES, Math.ceil(files.length * PART)));
  return [files.slice(0, size), ...shrinkingChunks(files.slice(size))];
}
