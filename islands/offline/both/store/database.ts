import { ignore } from './ignore.ts';
import { storeName } from './name.ts';

/** Version of the IndexedDB database, which holds everything kept except files (docs/offline.md). */
const databaseVersion = 1;
/** Timeout for opening the database, in ms: some browsers never respond. */
const timeoutMs = 3_000;

export type StoreName = 'meta' | 'copies' | 'disciplines' | 'items' | 'marks' | 'outbox';

/** The browser refuses storage (private window, setting, no IndexedDB), or its storage is full: see `isFull`. */
export class StorageRefused extends Error {
  constructor(cause: unknown) {
    super('storage refused', { cause });
  }
}

let opened: Promise<IDBDatabase | null> | null = null;
let makeStores: ((database: IDBDatabase) => void) | null = null;

/** Sets the function that creates the object stores. Without it, as in the worker, a missing database is not created. */
export function mayMakeDatabase(make: (database: IDBDatabase) => void): void {
  makeStores = make;
}

/** Returns the open database; null when there is none. Only a write creates the database. @throws StorageRefused */
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
      // The database was deleted by another tab, by the worker, or in the browser's settings.
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

/** Returns the result of an IndexedDB request. Never rejects: a failed request aborts its transaction, which `run` reports. */
export const answer = <Result>(request: IDBRequest<Result>): Promise<Result> =>
  new Promise((resolve) => {
    request.onsuccess = () => resolve(request.result);
  });

type Work<Result> = (open: (name: StoreName) => IDBObjectStore) => Promise<Result> | Result;

/** Reads in one transaction. @param empty result when there is no database  @throws StorageRefused */
export async function reading<Result>(names: StoreName[], empty: Result, work: Work<Result>): Promise<Result> {
  const database = await connect(false);
  return database ? run(database.transaction(names), work) : empty;
}

/**
 * Writes in one transaction: all changes are stored, or none. `work` may await only requests of this transaction, and may throw only before
 * its first change.
 * @param durability strict: waits until the data is on the disk, for data that cannot be fetched again
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

/** Deletes the database. Other tabs close their connections; if a tab does not, the browser deletes the database once that tab closes. */
export async function deleteDatabase(): Promise<void> {
  (await opened?.catch(ignore))?.close();
  opened = null;
  await new Promise((resolve) => {
    const asked = indexedDB.deleteDatabase(storeName);
    asked.onsuccess = asked.onerror = asked.onblocked = resolve;
  });
}
