/** The browser's database with everything that is kept of prepas but files (docs/offline.md). */
const databaseName = 'prepa-hors-ligne';
const databaseVersion = 1;
/** For the browser to answer: some never have. */
const timeoutMs = 3_000;

/** Its object stores: the path of their keys, and of their indexes. */
const stores = {
  meta: ['key'],
  copies: ['id'],
  disciplines: ['id', 'prepa'],
  items: ['id', 'prepa', 'discipline'],
  marks: ['item', 'prepa'],
  outbox: ['cle', 'prepa'],
} as const;
export type StoreName = keyof typeof stores;

/** The browser keeps nothing: a private window, a setting, a browser that has no storage, or, where it is `full`, no more. */
export class StorageRefused extends Error {
  readonly full: boolean;

  constructor(cause: unknown) {
    super('the browser keeps nothing', { cause });
    this.name = 'StorageRefused';
    this.full = isFull(cause);
  }
}

/** Whether the browser has no more room: IndexedDB and Cache Storage say it by the same name. */
export const isFull = (error: unknown): boolean =>
  (error instanceof StorageRefused && error.full) || (error as Error | null)?.name === 'QuotaExceededError';

let opened: Promise<IDBDatabase | null> | null = null;

/** @param create false: null where there is no database, and none is made by looking  @throws StorageRefused */
async function connect(create: boolean): Promise<IDBDatabase | null> {
  opened ??= open(create);
  const asked = opened;
  try {
    const database = await asked;
    if (database) return database;
    if (opened === asked) opened = null;
    return create ? await connect(true) : null;
  } catch (error) {
    if (opened === asked) opened = null;
    throw error instanceof StorageRefused ? error : new StorageRefused(error);
  }
}

function open(create: boolean): Promise<IDBDatabase | null> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(reject, timeoutMs, new Error('no answer'));
    const asked = indexedDB.open(databaseName, databaseVersion);
    let isAbsent = false;
    asked.onupgradeneeded = () => {
      isAbsent = !create;
      if (isAbsent) return asked.transaction?.abort();
      for (const [name, [keyPath, ...indexes]] of Object.entries(stores)) {
        const store = asked.result.createObjectStore(name, { keyPath });
        for (const index of indexes) store.createIndex(index, index);
      }
    };
    asked.onsuccess = () => {
      clearTimeout(timer);
      const database = asked.result;
      const leave = () => {
        database.close();
        opened = null;
      };
      // Removed by another tab or by the worker, or by the person in the browser's settings.
      database.onversionchange = leave;
      database.onclose = leave;
      resolve(database);
    };
    asked.onerror = () => {
      clearTimeout(timer);
      if (isAbsent) resolve(null);
      else reject(asked.error);
    };
  });
}

/** What a request of IndexedDB answers. */
export const answer = <Result>(request: IDBRequest<Result>): Promise<Result> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

type Work<Result> = (open: (name: StoreName) => IDBObjectStore) => Promise<Result> | Result;

/** Reads in one transaction. @param empty where nothing was ever kept  @throws StorageRefused */
export async function reading<Result>(names: StoreName[], empty: Result, work: Work<Result>): Promise<Result> {
  const transaction = await begin(names, 'readonly');
  return transaction ? run(transaction, work) : empty;
}

/**
 * Changes in one transaction: all of it is kept, or nothing. What `work` awaits are requests of that transaction alone.
 * @param durability strict: waits until it is on the disk, for what cannot be had again
 * @throws StorageRefused, or what `work` throws
 */
export async function writing<Result>(names: StoreName[], work: Work<Result>, durability?: 'strict'): Promise<Result> {
  return run((await begin(names, 'readwrite', durability)) as IDBTransaction, work);
}

async function begin(names: StoreName[], mode: 'readonly' | 'readwrite', durability?: 'strict'): Promise<IDBTransaction | null> {
  const once = async () => (await connect(mode === 'readwrite'))?.transaction(names, mode, { durability: durability ?? 'default' }) ?? null;
  try {
    return await once();
  } catch (error) {
    if (error instanceof StorageRefused) throw error;
    // The connection was closed under way: once more by a new one.
    opened = null;
    return once();
  }
}

async function run<Result>(transaction: IDBTransaction, work: Work<Result>): Promise<Result> {
  const ended = new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(new StorageRefused(transaction.error));
  });
  let result: Result;
  try {
    result = await work((name) => transaction.objectStore(name));
  } catch (error) {
    ended.catch(() => {});
    try {
      transaction.abort();
    } catch {
      // It has ended by itself.
    }
    throw error instanceof DOMException ? new StorageRefused(transaction.error ?? error) : error;
  }
  await ended;
  return result;
}

/** Removes the database; other tabs let go of it. Whoever does not is waited for by the browser. */
export async function deleteDatabase(): Promise<void> {
  (await opened?.catch(() => null))?.close();
  opened = null;
  await new Promise<void>((resolve) => {
    const asked = indexedDB.deleteDatabase(databaseName);
    asked.onsuccess = asked.onerror = asked.onblocked = () => resolve();
  });
}
