import { leaveIfEmpty } from '../offline/both/removal.ts';
import { examCache } from './exam-cache.ts';
import { databaseName } from './sitting-store.ts';

/** Removes everything of mock exams from this browser. */
export async function forgetExams(): Promise<void> {
  if (globalThis.caches) await caches.delete(examCache);
  if (globalThis.indexedDB) indexedDB.deleteDatabase(databaseName);
  // The worker goes too, if it keeps nothing else.
  if (globalThis.caches && globalThis.indexedDB) await leaveIfEmpty().catch(() => {});
}
