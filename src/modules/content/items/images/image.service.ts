import type { EntityManager } from '@mikro-orm/postgresql';
import type { StoredFiles } from '../../../../platform/backup/backup-subject.ts';
import { prepareContentImage, type StoredImage } from '../../../../platform/files/images.ts';
import { requireRightClock } from '../../../../platform/use-cases/clock-check.ts';
import type { UseCaseContext } from '../../../../platform/use-cases/events.ts';
import { transact } from '../../../../platform/use-cases/transaction.ts';
import { dayMs } from '../../../../shared/dates.ts';

/**
 * Images of texts are named by their content, so several texts can share one file.
 * `content_image` has a row for each stored image, written before its file. `item_image` records which items show it, now or in a
 * kept version; `item_draft_image`, which drafts.
 * To remove an image, delete its row first and hold the row lock until the file is gone. A concurrent upload of the same image waits
 * for that lock and then writes the file again.
 */

export const storedImages: StoredFiles = {
  folder: 'media',
  query: 'select name from content_image order by name',
  filesOf: (name) => [name],
};

const storedImage = /^\/media\/(content\/[0-9a-f]{32}\.webp)$/;

/** Returns the name of the stored image at this address; null for any other address. */
export const imageNameOf = (src: string): string | null => storedImage.exec(src)?.[1] ?? null;

/**
 * Stores an image of a text, in its own transaction.
 * @throws ImageError
 */
export async function keepContentImage(
  em: EntityManager,
  { clock, files }: Pick<UseCaseContext, 'clock' | 'files'>,
  bytes: Buffer,
): Promise<StoredImage> {
  const { name, data, image } = await prepareContentImage(bytes);
  // If writing the file fails, the row is rolled back.
  await em.fork().transactional(async (tx) => {
    await tx.execute(
      `insert into content_image (name, uploaded_at, octets) values (?, ?::timestamptz, ?)
       on conflict (name) do update set uploaded_at = excluded.uploaded_at, octets = excluded.octets`,
      [name, clock.now().toISOString(), data.length],
    );
    if (!(await files.has(name))) await files.write(name, data);
  });
  return image;
}

/**
 * Returns those of the names that are stored, and keeps them for at least `unusedDays` from now, so that a text that uses them can
 * still be saved.
 */
export async function findContentImages(
  em: EntityManager,
  { clock }: Pick<UseCaseContext, 'clock'>,
  names: readonly string[],
): Promise<Set<string>> {
  if (names.length === 0) return new Set();
  const list = arrayOf(names);
  const fork = em.fork();
  const now = clock.now();
  await fork.execute('update content_image set uploaded_at = ?::timestamptz where name = any(?::text[]) and uploaded_at < ?::timestamptz', [
    now.toISOString(),
    list,
    new Date(now.getTime() - dayMs).toISOString(),
  ]);
  const rows = await fork.execute<{ name: string }[]>('select name from content_image where name = any(?::text[])', [list]);
  return new Set(rows.map(({ name }) => name));
}

/** Records that an item shows these images. The record lasts as long as the item, since its versions do. */
export async function referToImages(tx: EntityManager, itemId: number, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  await tx.execute('insert into item_image (item_id, image_name) select ?, unnest(?::text[]) on conflict do nothing', [
    itemId,
    arrayOf(names),
  ]);
}

/** Days for which an unused image is kept: it may belong to a text that is not saved yet. */
const unusedDays = 7;
export const imageBatch = 100;

/** Removes the images that no item or draft shows, now or in a kept version, and that were not uploaded recently. @throws WrongClockError */
export async function removeUnusedImages(em: EntityManager, context: Pick<UseCaseContext, 'clock' | 'files' | 'log'>): Promise<void> {
  await requireRightClock(em);
  const now = context.clock.now();
  let removed = imageBatch;
  while (removed === imageBatch) removed = await transact(em, context, (tx) => removeSomeUnusedImages(tx, context, now));
}

const unused = `uploaded_at < ? and not exists (select from item_image where image_name = c.name)
  and not exists (select from item_draft_image where image_name = c.name)`;
const unusedSince = (now: Date): Date => new Date(now.getTime() - unusedDays * dayMs);

/**
 * Removes up to `imageBatch` unused images in the caller's transaction. @returns the number removed; `imageBatch` means there may be
 * more
 */
export async function removeSomeUnusedImages(tx: EntityManager, { files }: Pick<UseCaseContext, 'files'>, now: Date): Promise<number> {
  const rows = await tx.execute<{ name: string }[]>(
    `delete from content_image where name in (
       select name from content_image c where ${unused} order by uploaded_at limit ${imageBatch} for update skip locked)
     returning name`,
    [unusedSince(now)],
  );
  await files.remove(rows.map(({ name }) => name));
  return rows.length;
}

export async function countUnusedImages(em: EntityManager, now: Date): Promise<number> {
  const [row] = await em.execute<{ count: number }[]>(`select count(*)::int as count from content_image c where ${unused}`, [
    unusedSince(now),
  ]);
  return row?.count ?? 0;
}

/** Returns the given files without a row: a killed process left them behind. */
export async function unnamedImages(em: EntityManager, names: readonly string[]): Promise<string[]> {
  const rows = await em.execute<{ name: string }[]>('select name from content_image where name = any(?::text[])', [arrayOf(names)]);
  const named = new Set(rows.map(({ name }) => name));
  return names.filter((name) => !named.has(name));
}

/**
 * Deletes files without a row, in the caller's transaction. A temporary row holds the lock on each name meanwhile, as when an image
 * is removed.
 */
export async function removeUnnamedImages(
  tx: EntityManager,
  { clock, files }: Pick<UseCaseContext, 'clock' | 'files'>,
  names: readonly string[],
): Promise<number> {
  const held = await tx.execute<{ name: string }[]>(
    'insert into content_image (name, uploaded_at) select name, ? from unnest(?::text[]) name order by name on conflict do nothing returning name',
    [clock.now(), arrayOf(names)],
  );
  const gone = held.map(({ name }) => name);
  await files.remove(gone);
  await tx.execute('delete from content_image where name = any(?::text[])', [arrayOf(gone)]);
  return gone.length;
}

const arrayOf = (names: readonly string[]): string => `{${names.map((name) => `"${name}"`).join(',')}}`;
