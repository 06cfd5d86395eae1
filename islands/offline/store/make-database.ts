import { mayMakeDatabase, type StoreName } from './database.ts';

/** Object stores: the path of their keys, and of their indexes. */
const stores: Record<StoreName, [string, ...string[]]> = {
  meta: ['key'],
  copies: ['id'],
  disciplines: ['id', 'prepa'],
  items: ['id', 'prepa', 'discipline'],
  marks: ['item', 'prepa'],
  outbox: ['cle', 'prepa'],
};

mayMakeDatabase((database) => {
  for (const [name, [keyPath, ...indexes]] of Object.entries(stores)) {
    const store = database.createObjectStore(name, { keyPath });
    for (const index of indexes) store.createIndex(index, index);
  }
});

/** Whether the browser has no more room: IndexedDB and Cache Storage say it by the same name. */
export const isFull = (error: unknown): boolean => {
  const { name, cause } = (error ?? {}) as Partial<Error>;
  return name === 'QuotaExceededError' || (cause !== undefined && isFull(cause));
};
