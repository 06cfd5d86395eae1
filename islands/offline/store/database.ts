import { ignore } from './ignore.ts';
import { storeName } from './name.ts';

/** Of the browser's database with everything that is kept of prepas but files (docs/offline.md). */
const databaseVersion = 1;
/** For the browser to answer: some never have. */
const timeoutMs = 3_000;

export type StoreName = 'meta' | 'copies' | 'disciplines' | 'items' | 'marks' | 'outbox';

/** The browser keeps nothing: a private window, a setting, a browser that has no storage; or no more, which `isFull` tells. */
export class StorageRefused extends Error {
  constructor(cause: unknown) {
    super('storage refused', { cause });
  }
}

let opened: Promise<IDBDatabase | null> | null = null;
let makeStores: ((database: IDBDatabase) => void) | null = null;

/** Whoever may make the database says how; until then, as in the worker, it is there or nothing is kept. */
export function mayMakeDatabase(make: (database: IDBDatabase) => void): void {
  makeStores = make;
}

/** Null where there is no database, and none is made by looking. @throws StorageRefused */
async function connect(isToWrite: boolean): Promise<IDBDatabase | null> {
  opened ??= open(isToWrite);
  const database = await opened;
  return database || !(isToWrite && makeStores) ? database : connect(isToWrite);
}

function open(isToWrite: boolean): Promise<IDBDatabase | null> {
  const make = isToWrite ? makeStores : null;
  return new Promise((resolve, reject) => {
    const leave = () => {
      opened = null;
    };
    const refuse = (error: unknown) => {
      leave();
      reject(new StorageRefused(error));
    };
    const timer = setTimeout(refuse, timeoutMs);
    let asked: IDBOpenDBRequest;
    try {
      asked = indexedDB.open(storeName, databaseVersion);
    } catch (error) {
      return refuse(error);
    }
    let isAbsent = false;
    asked.onupgradeneeded = () => {
      isAbsent = make === null;
      if (make) make(asked.result);
      else asked.transaction?.abort();
    };
    asked.onsuccess = () => {
      clearTimeout(timer);
      const database = asked.result;
      // Removed by another tab or by the worker, or by the person in the browser's settings.
      database.onclose = leave;
      database.onversionchange = () => {
        database.close();
        leave();
      };
      resolve(database);
    };
    asked.onerror = () => {
      clearTimeout(timer);
      if (!isAbsent) return refuse(asked.error);
      leave();
      resolve(null);
    };
  });
}

/** What a request of IndexedDB answers. When it fails its transaction does, which says so. */
export const answer = <Result>(request: IDBRequest<Result>): Promise<Result> =>
  new Promise((resolve) => {
    request.onsuccess = () => resolve(request.result);
  });

type Work<Result> = (open: (name: StoreName) => IDBObjectStore) => Promise<Result> | Result;

/** Reads in one transaction. @param empty where nothing was ever kept  @throws StorageRefused */
export async function reading<Result>(names: StoreName[], empty: Result, work: Work<Result>): Promise<Result> {
  const database = await connect(false);
  return database ? run(database.transaction(names), work) : empty;
}

/**
 * Changes in one transaction: all of it is kept, or nothing. `work` awaits requests of that transaction alone, and throws before its first change or not at all.
 * @param durability strict: waits until it is on the disk, for what cannot be had again
 * @throws StorageRefused, or what `work` throws
 */
export async function writing<Result>(names: StoreName[], work: Work<Result>, durability?: 'strict'): Promise<Result> {
  const database = await connect(true);
  if (!database) throw new StorageRefused(null);
  return run(database.transaction(names, 'readwrite', durability && { durability }), work);
}

async function run<Result>(transaction: IDBTransaction, work: Work<Result>): Promise<Result> {
  const ended = new Promise((resolve, reject) => {
    transaction.oncomplete = resolve;
    transaction.onabort = () => reject(new StorageRefused(transaction.error));
  });
  const [result] = await Promise.all([work((name) => transaction.objectStore(name)), ended]);
  return result;
}

/** Removes the database; other tabs let go of it. Whoever does not is waited for by the browser. */
export async function deleteDatabase(): Promise<void> {
  (await opened?.catch(ignore))?.close();
  opened = null;
  await new Promise((resolve) => {
    const asked = indexedDB.deleteDatabase(storeName);
    asked.onsuccess = asked.onerror = asked.onblocked = resolve;
  });
}
