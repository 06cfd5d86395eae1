import { answer, reading, type StoreName } from './database.ts';

export const get = <Record>(name: StoreName, key: IDBValidKey): Promise<Record | undefined> =>
  reading<Record | undefined>([name], undefined, (open) => answer(open(name).get(key)));

/** Returns all records of a store, or those with this key of an index. */
export const all = <Record>(name: StoreName, index?: string, key?: number): Promise<Record[]> =>
  reading<Record[]>([name], [], (open) => answer<Record[]>(index ? open(name).index(index).getAll(key) : open(name).getAll()));
