import { mayMakeDatabase, type StoreName } from '../../both/store/database.ts';

/** Object stores: the path of each store's key, then the paths of its indexes. */
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

/** Returns whether an error means that the browser's storage is full. IndexedDB and Cache Storage use the same error name. */
export const isFull = (error: unknown): boolean => {
  const { name, cause } = (error ?? {}) as Partial<Error>;
  return name === 'QuotaExceededError' || (cause !== undefined && isFull(cause));
};
