import type { EntityManager } from '@mikro-orm/postgresql';
import type { FileStore } from '../files/storage.ts';
import { daysAgo, type Pruning, type PruningRun } from './pruning.ts';

/** Minimum age of files that may be removed, in days: the row of a new file may not be written yet. */
const settledAfter = 1;
/** Number of files that are checked and removed in one transaction. */
const batchSize = 500;

interface StoredFiles {
  store(run: PruningRun): FileStore;
  folder: string;
  /** Pattern of our own file names; other files are left alone. */
  pattern: RegExp;
  /** Returns the names to which no row refers. */
  unnamed(em: EntityManager, names: readonly string[]): Promise<string[]>;
  /** Removes the files that still have no row, in the batch's transaction, so that none gets a row meanwhile. @returns their number */
  remove(tx: EntityManager, run: PruningRun, names: readonly string[]): Promise<number>;
}

/**
 * Returns a pruning of files without a row, left by a process that was killed between writing the file and the row, and of half-written
 * files.
 */
export const pruneFiles = (name: string, label: string, { store, folder, pattern, unnamed, remove }: StoredFiles): Pruning => {
  async function* batches(run: PruningRun) {
    let batch: string[] = [];
    for await (const file of store(run).list(folder, daysAgo(run, settledAfter))) {
      if (!pattern.test(finalName(file))) continue;
      batch.push(file);
      if (batch.length < batchSize) continue;
      yield await unnamedOf(run, batch);
      batch = [];
    }
    if (batch.length > 0) yield await unnamedOf(run, batch);
  }

  async function unnamedOf({ em }: PruningRun, files: readonly string[]) {
    const whole = files.filter((file) => finalName(file) === file);
    return { half: files.filter((file) => finalName(file) !== file), whole: whole.length > 0 ? await unnamed(em, whole) : [] };
  }

  return {
    name,
    label,
    async count(run) {
      let count = 0;
      for await (const { half, whole } of batches(run)) count += half.length + whole.length;
      return count;
    },
    async *remove(run) {
      for await (const { half, whole } of batches(run)) {
        await store(run).remove(half);
        yield half.length + (whole.length > 0 ? await run.batch((tx) => remove(tx, run, whole)) : 0);
      }
    },
  };
};

/** Returns the name of a file once it is completely written. */
const finalName = (file: string): string => file.replace(/\.[0-9a-f-]{36}\.part$/, '');
