import type { EntityManager } from '@mikro-orm/postgresql';
import { lockNames } from '../../platform/advisory-lock.ts';
import type { FileStore } from '../../platform/storage.ts';

/** How texts name their stored images, in PostgreSQL's regular expressions. */
const shownImages = `regexp_matches(contenu || coalesce(corrige, ''), '/media/(content/[0-9a-f]{32}\\.webp)', 'g')`;

/** The stored images that some items show. @param where a condition on `item`, with one `?` */
export async function namesOfContentImages(em: EntityManager, where: string, id: number): Promise<string[]> {
  const rows = await em.execute<{ name: string }[]>(`select distinct shown[1] as name from item, ${shownImages} shown where ${where}`, [
    id,
  ]);
  return rows.map(({ name }) => name);
}

/** Removes the files that no item shows any more, in a transaction of its own. */
export async function removeUnshownImages(em: EntityManager, files: FileStore, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  await em.fork().transactional(async (tx) => {
    await lockNames(tx, names);
    const list = `{${names.join(',')}}`;
    const rows = await tx.execute<{ name: string }[]>(
      `select distinct shown[1] as name from item, ${shownImages} shown where shown[1] = any(?::text[])`,
      [list],
    );
    const shown = new Set(rows.map(({ name }) => name));
    await files.remove(names.filter((name) => !shown.has(name)));
  });
}
