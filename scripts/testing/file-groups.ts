import { readFileSync } from 'node:fs';

/** Ends the run alone unless it begins it. */
const LONGEST = 'test/journeys/pages.test.ts';
/**
 * Files that share a process: each process loads and compiles the same sources again, for more than two seconds. Those of test/ take longer each, and begin
 * before the others, which fill what is left of the cores in groups that become smaller, so that the last one does not run alone for long.
 */
const MAX_FILES = { test: 8, others: 24 };
const MIN_FILES = 6;
/** Of the others that are left, those of a group. */
const PART = 1 / 8;
/** A file that says so, and why, has a process of its own. */
const ALONE = /^\/\/ Alone: /m;

/** Every file in one group: neighbours in their folders, which load the same sources; the longest groups first. */
export function groupFiles(files: readonly string[]): string[][] {
  const sorted = [...files].sort();
  const alone = sorted.filter((file) => file === LONGEST || ALONE.test(readFileSync(file, 'utf8')));
  const shared = sorted.filter((file) => !alone.includes(file));
  const [slow, quick] = [shared.filter(isSlow), shared.filter((file) => !isSlow(file))];
  return [
    ...alone.map((file) => [file]).sort(([a], [b]) => Number(b === LONGEST) - Number(a === LONGEST)),
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
