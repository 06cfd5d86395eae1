import { tellOfChange } from './changes.ts';
import { copies } from './copies.ts';
import { answer, deleteDatabase, type StoreName, writing } from './database.ts';
import { changeNote, note } from './device.ts';
import { documentCache, dropFiles, keepOnly, pictureCache, picturePath } from './files.ts';
import { ignore } from './ignore.ts';
import type { StoredDiscipline, StoredItem } from './records.ts';
import { all } from './rows.ts';

/** Stores whose rows belong to a copy. */
const parts = ['disciplines', 'items', 'marks'] as const;
const stores: StoreName[] = ['copies', ...parts];

/**
 * Removes a prepa: its rows, and the pictures and documents that no other copy uses. Its unsent entries stay. The server, which counts the
 * devices of a prepa, is informed at the next contact.
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

/** Returns the prepas removed on this device whose removal has not been reported to the server. */
export const untold = async (): Promise<number[]> => (await note<number[]>('untold')) ?? [];

/** Notes that the server knows of a prepa's removal. */
export const told = (prepaId: number): Promise<number[]> =>
  changeNote('untold', (before: number[] = []) => before.filter((id) => id !== prepaId));

/** Deletes pictures and documents that no copy uses; all files when there is no copy. */
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

/** Deletes everything: all rows, all files and the database. */
export async function forgetAll(): Promise<void> {
  const names: StoreName[] = ['meta', 'outbox', ...stores];
  // Cleared first, because a tab that does not close the database delays its deletion.
  await writing(names, (open) => {
    for (const name of names) open(name).clear();
  }).catch(ignore);
  await dropFiles();
  await deleteDatabase();
  tellOfChange();
}
