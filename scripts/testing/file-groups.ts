import { readFileSync } from 'node:fs';

/** Ends the run alone unless it begins it. */
const LONGEST = 'test/journeys/pages.test.ts';
/**
 * Files that a process is given at once: neighbours, which stand on the same sources. Those of test/ take longer each, and begin before the others, whose
 * groups become smaller, so that the last one does not run alone for long.
 */
const MAX_FILES = { test: 6, others: 16 };
const MIN_FILES = 3;
/** Of the others that are left, those of a group. */
const PART = 1 / 10;
/** A file that says so, and why, has a process of its own. */
const ALONE = /^\/\/ Alone: /m;

export const isAlone = (file: string): boolean => ALONE.test(readFileSync(file, 'utf8'));

/** Every file in one group: neighbours in their folders, which load the same sources; the longest groups first. */
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
