import type { KeptMark, OutboxEntry, TextsAnswer } from '../../../src/shared/offline/offline-copy.ts';
import { tellOfChange } from './changes.ts';
import { answer, deleteDatabase, reading, type StoreName, writing } from './database.ts';
import { documentCache, dropFiles, keepOnly, pictureCache, picturePath } from './files.ts';
import { withEntry } from './marks.ts';
import type { Copy, StoredDiscipline, StoredEntry, StoredItem, StoredMark } from './records.ts';

export { StorageRefused } from './database.ts';
export type { Copy, StoredDiscipline, StoredEntry, StoredItem } from './records.ts';

/** The highest time is written anew when so many ms have passed. */
const timeStepMs = 10_000;

/** What is kept on this device. Every call may reject with `StorageRefused`. */
export interface Store {
  copies(): Promise<Copy[]>;
  copy(id: number): Promise<Copy | null>;
  putCopy(copy: Copy): Promise<void>;
  /** Null, with nothing changed, when it was removed meanwhile. */
  changeCopy(id: number, changes: Partial<Copy>): Promise<Copy | null>;
  /** In the order in which the server lists them. */
  disciplinesOf(prepaId: number): Promise<StoredDiscipline[]>;
  discipline(id: number): Promise<StoredDiscipline | null>;
  itemsOf(prepaId: number): Promise<StoredItem[]>;
  item(id: number): Promise<StoredItem | null>;
  /**
   * Takes texts in, all or what differs, and removes items that stand in no discipline's list; in one transaction. Says which items changed, and which are not
   * held in the version that the lists name. Null, with nothing kept, when the copy was removed meanwhile.
   */
  applyTexts(prepaId: number, texts: TextsAnswer): Promise<{ changed: number[]; missing: number[] } | null>;
  /** By item: the server's, with what waits in the outbox on top. */
  marksOf(prepaId: number): Promise<Map<number, KeptMark>>;
  /** All of the server's, in place of those before. Without a copy nothing is kept. */
  putMarks(prepaId: number, marks: readonly KeptMark[]): Promise<void>;
  /** @throws Error when the item is not kept, StorageRefused when the browser keeps no more */
  addEntry(entry: OutboxEntry): Promise<void>;
  /** The oldest first. */
  entries(): Promise<StoredEntry[]>;
  /** The server has them: they become marks of its. */
  dropEntries(keys: readonly string[]): Promise<void>;
  /** What the server knows this device by: a secret that only bodies of calls hold. */
  device(): Promise<string>;
  /** The reader's time: never before the highest that was ever seen. */
  now(): Promise<number>;
  /** Raises it. */
  see(ms: number): Promise<void>;
  /** The server's own word puts it right after a device's clock has been wrong. */
  trust(ms: number): Promise<void>;
  /** Small things by name. */
  note<Value>(name: string): Promise<Value | null>;
  putNote(name: string, value: unknown): Promise<void>;
  /** Removes a prepa: rows, pictures and documents that no other copy shows. What waits in the outbox stays. @param tell the server at the next contact */
  forget(prepaId: number, tell?: boolean): Promise<void>;
  /** Prepas that were removed here and that the server still counts. */
  untold(): Promise<number[]>;
  told(prepaId: number): Promise<void>;
  /** Removes pictures and documents that no copy shows. */
  sweep(): Promise<void>;
  /** Removes everything, the database and its files with it. */
  forgetAll(): Promise<void>;
}

/** @throws StorageRefused when the browser keeps nothing */
export async function openStore(): Promise<Store> {
  await store.copies();
  return store;
}

const get = <Record>(name: StoreName, key: IDBValidKey): Promise<Record | null> =>
  reading([name], null, async (open) => ((await answer(open(name).get(key))) as Record | undefined) ?? null);

const all = <Record>(name: StoreName, index?: string, key?: number): Promise<Record[]> =>
  reading<Record[]>([name], [], (open) => answer<Record[]>(index ? open(name).index(index).getAll(key) : open(name).getAll()));

const put = (name: StoreName, record: unknown): Promise<void> =>
  writing([name], async (open) => {
    await answer(open(name).put(record));
  });

/** Writes a time by a rule about the one before. */
const putTime = (ms: number, replaces: (before: number) => boolean): Promise<void> =>
  writing(['meta'], async (open) => {
    const found = await answer(open('meta').get('time'));
    if (replaces(found?.value ?? 0)) await answer(open('meta').put({ key: 'time', value: ms }));
  });

const store: Store = {
  copies: () => all('copies'),
  copy: (id) => get('copies', id),
  async putCopy(copy) {
    await put('copies', copy);
    tellOfChange();
  },
  async changeCopy(id, changes) {
    const changed = await writing(['copies'], async (open) => {
      const found = await answer<Copy | undefined>(open('copies').get(id));
      if (!found) return null;
      const copy = { ...found, ...changes };
      await answer(open('copies').put(copy));
      return copy;
    });
    tellOfChange();
    return changed;
  },

  async disciplinesOf(prepaId) {
    const found = await all<StoredDiscipline & { place: number }>('disciplines', 'prepa', prepaId);
    return found.sort((one, other) => one.place - other.place);
  },
  discipline: (id) => get('disciplines', id),
  itemsOf: (prepaId) => all('items', 'prepa', prepaId),
  item: (id) => get('items', id),

  applyTexts: (prepaId, { prepa, tag, disciplines, items }) =>
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
    }),

  marksOf: (prepaId) =>
    reading(['marks', 'outbox', 'items'], new Map<number, KeptMark>(), async (open) => {
      const stored = await answer<StoredMark[]>(open('marks').index('prepa').getAll(prepaId));
      const marks = new Map(stored.map(({ prepa, ...mark }) => [mark.item, mark as KeptMark]));
      const waiting = await answer<StoredEntry[]>(open('outbox').index('prepa').getAll(prepaId));
      for (const entry of waiting.sort(inTime)) {
        const item = await answer<StoredItem | undefined>(open('items').get(entry.item));
        if (item) marks.set(entry.item, withEntry(marks.get(entry.item) ?? null, entry, item));
      }
      return marks;
    }),
  putMarks: (prepaId, marks) =>
    writing(['copies', 'marks'], async (open) => {
      if (!(await answer(open('copies').get(prepaId)))) return;
      for (const item of await answer(open('marks').index('prepa').getAllKeys(prepaId))) open('marks').delete(item);
      for (const mark of marks) open('marks').put({ ...mark, prepa: prepaId });
    }),

  addEntry: (entry) =>
    writing(
      ['copies', 'items', 'outbox'],
      async (open) => {
        const item = await answer<StoredItem | undefined>(open('items').get(entry.item));
        const copy = item && (await answer<Copy | undefined>(open('copies').get(item.prepa)));
        if (!copy) throw new Error(`item ${entry.item} is not kept`);
        await answer(open('outbox').put({ ...entry, prepa: copy.id, learner: copy.learner }));
      },
      'strict',
    ),
  entries: async () => (await all<StoredEntry>('outbox')).sort(inTime),
  dropEntries: (keys) =>
    writing(['outbox', 'marks', 'items'], async (open) => {
      const found = await Promise.all(keys.map((key) => answer<StoredEntry | undefined>(open('outbox').get(key))));
      for (const entry of found.filter((entry) => entry !== undefined).sort(inTime)) {
        const item = await answer<StoredItem | undefined>(open('items').get(entry.item));
        const mark = await answer<StoredMark | undefined>(open('marks').get(entry.item));
        if (item) open('marks').put({ ...withEntry(mark ?? null, entry, item), prepa: item.prepa });
        open('outbox').delete(entry.cle);
      }
    }),

  device: () =>
    writing(['meta'], async (open) => {
      const found = await answer(open('meta').get('device'));
      if (found) return found.value;
      const value = newKey();
      await answer(open('meta').put({ key: 'device', value }));
      return value;
    }),

  async now() {
    const highest = await store.note<number>('time');
    const device = Date.now();
    if (highest === null) return device;
    if (device >= highest + timeStepMs) await store.see(device).catch(() => {});
    return Math.max(highest, device);
  },
  see: (ms) => putTime(ms, (before) => ms > before),
  trust: (ms) => putTime(ms, () => true),
  note: async <Value>(name: string) => (await get<{ value: Value }>('meta', name))?.value ?? null,
  putNote: (key, value) => put('meta', { key, value }),

  async forget(prepaId, tell = true) {
    await writing(['copies', 'disciplines', 'items', 'marks', 'meta'], async (open) => {
      open('copies').delete(prepaId);
      for (const name of ['disciplines', 'items', 'marks'] as const) {
        for (const key of await answer(open(name).index('prepa').getAllKeys(prepaId))) open(name).delete(key);
      }
      if (!tell) return;
      const found: number[] = (await answer(open('meta').get('untold')))?.value ?? [];
      open('meta').put({ key: 'untold', value: [...new Set([...found, prepaId])] });
    });
    tellOfChange();
    await store.sweep();
  },
  untold: async () => (await store.note<number[]>('untold')) ?? [],
  told: (prepaId) =>
    writing(['meta'], async (open) => {
      const found: number[] = (await answer(open('meta').get('untold')))?.value ?? [];
      open('meta').put({ key: 'untold', value: found.filter((id) => id !== prepaId) });
    }),

  async sweep() {
    const copies = await store.copies();
    if (copies.length === 0) return dropFiles();
    const [items, disciplines] = await Promise.all([all<StoredItem>('items'), all<StoredDiscipline>('disciplines')]);
    const chosenIn = (choice: 'pictures' | 'documents') => {
      const prepas = new Set(copies.flatMap((copy) => (copy[choice] ? copy.id : [])));
      return <Row extends { prepa: number }>(rows: Row[]) => rows.filter(({ prepa }) => prepas.has(prepa));
    };
    const [withPictures, withDocuments] = [chosenIn('pictures'), chosenIn('documents')];
    const pictures = withPictures(items).flatMap((item) => item.pictures.map(({ name }) => picturePath(name)));
    const covers = withPictures(disciplines).flatMap(({ image }) => image ?? []);
    await keepOnly(pictureCache, new Set([...pictures, ...covers]));
    await keepOnly(documentCache, new Set(withDocuments(items).flatMap(({ documents }) => documents.map(({ url }) => url))));
  },

  async forgetAll() {
    const names: StoreName[] = ['meta', 'copies', 'disciplines', 'items', 'marks', 'outbox'];
    // Emptied first: a tab that does not let go of the database has nothing left all the same.
    await writing(names, async (open) => {
      for (const name of names) await answer(open(name).clear());
    }).catch(() => {});
    await dropFiles();
    await deleteDatabase();
    tellOfChange();
  },
};

const inTime = (one: OutboxEntry, other: OutboxEntry): number => one.le - other.le;

/** A UUID, also in browsers that make none by themselves. */
export function newKey(): string {
  if (crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
