import type { EntityManager } from '@mikro-orm/postgresql';
import type { FileStore } from '../files/storage.ts';
import { daysAgo, type Pruning, type PruningRun } from './pruning.ts';

/** A file that is younger, in days, may be about to get its row. */
const settledAfter = 1;
/** Files that are asked about, and removed, in one transaction. */
const batchSize = 500;

interface StoredFiles {
  store(run: PruningRun): FileStore;
  folder: string;
  /** Names that are ours; whatever else stands there is left alone. */
  pattern: RegExp;
  /** Those of the names that no row names. */
  unnamed(em: EntityManager, names: readonly string[]): Promise<string[]>;
  /** Removes those that no row names still, in the batch's transaction, so that none gets a row meanwhile. @returns how many */
  remove(tx: EntityManager, run: PruningRun, names: readonly string[]): Promise<number>;
}

/** Files that no row names, as a process leaves them that is killed between the two, and the half-written ones of such a process. */
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

/** What a file is called once it is written whole. */
const finalName = (file: string): string => file.replace(/\.[0-9a-f-]{36}\.part$/, '');
