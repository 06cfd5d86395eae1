import type { EntityManager } from '@mikro-orm/postgresql';
import type { StoredFiles } from '../../../platform/backup/backup-subject.ts';
import { lockNames } from '../../../platform/database/advisory-lock.ts';
import type { UseCaseContext } from '../../../platform/use-cases/events.ts';
import { type AfterCommit, transact } from '../../../platform/use-cases/transaction.ts';
import { coverFiles, type PreparedCover, storePrepared } from './cover-images.ts';

/**
 * Covers are named by their content, so two rows may share the same files.
 * A transaction that adds or removes a row takes the lock on the name before it touches the files, so that a cover is never removed
 * while another row is about to show it.
 */

export const storedCovers: StoredFiles = {
  folder: 'media',
  query: 'select image as name from prepa where image is not null union select image from discipline where image is not null order by name',
  filesOf: coverFiles,
};

/** Stores a cover for a row that this transaction writes. */
export async function keepCover(tx: EntityManager, { files }: Pick<UseCaseContext, 'files'>, cover: PreparedCover): Promise<string> {
  await lockNames(tx, [cover.base]);
  await storePrepared(files, cover);
  return cover.base;
}

/** Runs a change that stores a cover. If the change fails, the files are removed, unless another row shows them. */
export async function storing<Result>(
  em: EntityManager,
  context: Pick<UseCaseContext, 'files' | 'log'>,
  cover: PreparedCover | null,
  change: () => Promise<Result>,
): Promise<Result> {
  try {
    return await change();
  } catch (error) {
    await releaseCovers(em, context, [cover?.base]);
    throw error;
  }
}

/** Removes the files of covers that no prepa and no discipline shows any more, in its own transaction. */
async function releaseCovers(
  em: EntityManager,
  { files, log }: Pick<UseCaseContext, 'files' | 'log'>,
  covers: readonly (string | null | undefined)[],
): Promise<void> {
  const bases = covers.filter((base) => base != null);
  if (bases.length === 0) return;
  await transact(em, { log }, async (tx) => {
    await lockNames(tx, bases);
    await files.remove((await unshownCovers(tx, bases)).flatMap(coverFiles));
  });
}

/** Returns the given covers that no prepa and no discipline shows. */
export async function unshownCovers(em: EntityManager, bases: readonly string[]): Promise<string[]> {
  const list = `{${bases.join(',')}}`;
  const rows = await em.execute<{ image: string }[]>(
    `select image from prepa where image = any(?::text[]) union select image from discipline where image = any(?::text[])`,
    [list, list],
  );
  const shown = new Set(rows.map(({ image }) => image));
  return bases.filter((base) => !shown.has(base));
}

/** Removes the files of replaced or deleted covers after the commit. */
export function releaseAfter(
  afterCommit: AfterCommit,
  em: EntityManager,
  context: Pick<UseCaseContext, 'files' | 'log'>,
  covers: readonly (string | null | undefined)[],
): void {
  afterCommit(() => releaseCovers(em, context, covers));
}
