import type { SittingRecord } from '../../src/shared/exams/phone/sitting-record.ts';

/** Name of the browser's database of sittings. Apart from the kept prepas': it is needed without any, and removed on its own. */
export const databaseName = 'prepa-concours-blancs';
/** Timeout for opening the database, in ms: some browsers never respond. */
const timeoutMs = 3_000;
const store = 'sittings';

let opened: Promise<IDBDatabase> | null = null;

function open(): Promise<IDBDatabase> {
  opened ??= new Promise<IDBDatabase>((resolve, reject) => {
    setTimeout(() => reject(new Error('no response')), timeoutMs);
    const asked = indexedDB.open(databaseName, 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore(store);
    asked.onerror = () => reject(asked.error);
    asked.onsuccess = () => {
      const database = asked.result;
      database.onversionchange = () => database.close();
      resolve(database);
    };
  });
  return opened;
}

async function run<Result>(
  mode: IDBTransactionMode,
  work: (rows: IDBObjectStore) => IDBRequest<Result> | null,
): Promise<Result | undefined> {
  // Answers cannot be fetched again: a write resolves when they are on the disk.
  const transaction = (await open()).transaction(store, mode, { durability: 'strict' });
  const request = work(transaction.objectStore(store));
  await new Promise((resolve, reject) => {
    transaction.oncomplete = resolve;
    transaction.onabort = () => reject(transaction.error);
  });
  return request?.result;
}

const keyOf = (exam: string, candidat: string | null): string => `${exam}/${candidat ?? ''}`;
/** Key of the name of the candidate who has last used the exam's room here. */
const lastKey = (exam: string): string => `last/${exam}`;

/** Returns the record of a candidate; with null, the last one. @throws DOMException, Error when storage is refused */
export async function loadSitting(exam: string, candidat: string | null): Promise<SittingRecord | null> {
  const last = await run<string | null>('readonly', (rows) => rows.get(lastKey(exam)));
  const found = await run<SittingRecord>('readonly', (rows) => rows.get(keyOf(exam, candidat ?? last ?? null)));
  return found ?? null;
}

/** Stores a record. @throws DOMException, Error when storage is refused or full */
export async function saveSitting(exam: string, record: SittingRecord): Promise<void> {
  await run('readwrite', (rows) => {
    rows.put(record, keyOf(exam, record.candidat));
    rows.put(record.candidat, lastKey(exam));
    // The record of the time before the candidate was known.
    if (record.candidat !== null) rows.delete(keyOf(exam, null));
    return null;
  });
}

/** Removes the record of a candidate, and one of the time before the candidate was known. @throws DOMException, Error when storage is refused */
export async function removeSitting(exam: string, candidat: string | null): Promise<void> {
  await run('readwrite', (rows) => {
    rows.delete(keyOf(exam, candidat));
    rows.delete(keyOf(exam, null));
    return null;
  });
}
