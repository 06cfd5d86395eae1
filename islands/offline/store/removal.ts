import { tellOfChange } from './changes.ts';
import { copies } from './copies.ts';
import { answer, deleteDatabase, type StoreName, writing } from './database.ts';
import { changeNote, note } from './device.ts';
import { documentCache, dropFiles, keepOnly, pictureCache, picturePath } from './files.ts';
import { ignore } from './ignore.ts';
import type { StoredDiscipline, StoredItem } from './records.ts';
import { all } from './rows.ts';

/** Of a copy, by its prepa. */
const parts = ['disciplines', 'items', 'marks'] as const;
const stores: StoreName[] = ['copies', ...parts];

/**
 * Removes a prepa: rows, pictures and documents that no other copy shows. What waits in the outbox stays. The server, which counts devices, hears of it at the next
 * contact.
 */
export async function forget(prepaId: number): Promise<void> {
  await changeNote('untold', (before: number[] = []) => [...new Set([...before, prepaId])]);
  await writing(stores, async (open) => {
    open('copies').delete(prepaId);
    for (const name of parts) {
      for (const key of await answer(open(name).index('prepa').getAllKeys(prepaId))) open(name).delete(key);
    }
  });
  tellOfChange();
  await sweep();
}

/** Prepas that were removed here and that the server still counts. */
export const untold = async (): Promise<number[]> => (await note<number[]>('untold')) ?? [];

export const told = (prepaId: number): Promise<number[]> =>
  changeNote('untold', (before: number[] = []) => before.filter((id) => id !== prepaId));

/** Removes pictures and documents that no copy shows. */
export async function sweep(): Promise<void> {
  const kept = await copies();
  if (!kept.length) return dropFiles();
  const [items, disciplines] = await Promise.all([all<StoredItem>('items'), all<StoredDiscipline>('disciplines')]);
  const chosen = <Row extends { prepa: number }>(rows: Row[], choice: 'pictures' | 'documents') =>
    rows.filter(({ prepa }) => kept.some((copy) => copy.id === prepa && copy[choice]));
  const pictures = chosen(items, 'pictures').flatMap((item) => item.pictures.map(({ name }) => picturePath(name)));
  const covers = chosen(disciplines, 'pictures').flatMap(({ image }) => image ?? []);
  await keepOnly(pictureCache, [...pictures, ...covers]);
  await keepOnly(
    documentCache,
    chosen(items, 'documents').flatMap(({ documents }) => documents.map(({ url }) => url)),
  );
}

/** Removes everything, the database and its files with it. */
export async function forgetAll(): Promise<void> {
  const names: StoreName[] = ['meta', 'outbox', ...stores];
  // Emptied first: a tab that does not let go of the database has nothing left all the same.
  await writing(names, (open) => {
    for (const name of names) open(name).clear();
  }).catch(ignore);
  await dropFiles();
  await deleteDatabase();
  tellOfChange();
}
