import type { TextsAnswer } from '../../../../src/shared/offline/offline-copy.ts';
import { answer, writing } from './database.ts';
import type { Copy, StoredDiscipline, StoredItem } from './records.ts';
import { all, get } from './rows.ts';

/** Returns the disciplines of a copy in the server's order. */
export const disciplinesOf = async (prepaId: number): Promise<StoredDiscipline[]> =>
  (await all<StoredDiscipline>('disciplines', 'prepa', prepaId)).sort((one, other) => one.place - other.place);

export const discipline = (id: number): Promise<StoredDiscipline | undefined> => get('disciplines', id);
export const itemsOf = (prepaId: number): Promise<StoredItem[]> => all('items', 'prepa', prepaId);
/** Returns the items of a discipline, ordered by id. */
export const itemsOfDiscipline = (disciplineId: number): Promise<StoredItem[]> => all('items', 'discipline', disciplineId);
export const item = (id: number): Promise<StoredItem | undefined> => get('items', id);

/**
 * Stores texts, all or only the changed ones, and removes items that no discipline lists, in one transaction.
 * @returns ids of the changed items, and ids of listed items not stored in the listed version; null, with nothing stored, when the copy was
 * removed meanwhile
 */
export const applyTexts = (
  prepaId: number,
  { prepa, tag, disciplines, items }: TextsAnswer,
): Promise<{ changed: number[]; missing: number[] } | null> =>
  writing(['copies', 'disciplines', 'items', 'marks'], async (open) => {
    const copy = await answer<Copy | undefined>(open('copies').get(prepaId));
    if (!copy) return null;
    const places = new Map(
      disciplines.flatMap(({ id, items: list }) => list.map((listed) => [listed.id, { ...listed, discipline: id }] as const)),
    );
    for (const id of await answer(open('disciplines').index('prepa').getAllKeys(prepaId))) open('disciplines').delete(id);
    for (const [place, discipline] of disciplines.entries()) open('disciplines').put({ ...discipline, prepa: prepaId, place });
    const held = new Map<number, number>();
    for (const found of await answer<StoredItem[]>(open('items').index('prepa').getAll(prepaId))) {
      const place = places.get(found.id);
      if (!place) {
        open('items').delete(found.id);
        open('marks').delete(found.id);
        continue;
      }
      held.set(found.id, found.version);
      if (place.discipline !== found.discipline) open('items').put({ ...found, discipline: place.discipline });
    }
    for (const item of items) {
      const place = places.get(item.id);
      if (!place) continue;
      held.set(item.id, item.version);
      open('items').put({ ...item, prepa: prepaId, discipline: place.discipline });
    }
    await answer(open('copies').put({ ...copy, nom: prepa.nom, tag }));
    const missing = [...places.values()].filter(({ id, version }) => held.get(id) !== version).map(({ id }) => id);
    return { changed: items.map(({ id }) => id), missing };
  });
