import { answer, reading, type StoreName, writing } from './database.ts';

export const get = <Record>(name: StoreName, key: IDBValidKey): Promise<Record | null> =>
  reading([name], null, async (open) => ((await answer(open(name).get(key))) as Record | undefined) ?? null);

/** All records, or those of an index's key. */
export const all = <Record>(name: StoreName, index?: string, key?: number): Promise<Record[]> =>
  reading<Record[]>([name], [], (open) => answer<Record[]>(index ? open(name).index(index).getAll(key) : open(name).getAll()));

export const put = (name: StoreName, record: unknown): Promise<void> =>
  writing([name], async (open) => {
    await answer(open(name).put(record));
  });
