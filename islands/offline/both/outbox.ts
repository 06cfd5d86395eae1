import { maxEntriesPerCall, type OutboxEntry } from '../../../src/shared/offline/offline-copy.ts';
import { ask } from './ask.ts';
import { tellOfChange } from './store/changes.ts';
import { now, see } from './store/device.ts';
import { ignore } from './store/ignore.ts';
import { addEntry, dropEntries, entries } from './store/outbox.ts';

/** Maximum age of an entry, in ms. Older entries are dropped, since the server remembers the keys of entries for 90 days. */
const oldestMs = 90 * 86_400_000;

/**
 * Adds an action on a kept item to the outbox.
 * @param key idempotency key: entries with the same key count once. Without it a new key is made
 * @throws StorageRefused when the browser's storage is full or refused
 */
export async function note(type: OutboxEntry['type'], item: number, key?: string | null): Promise<void> {
  const le = await now();
  await addEntry({ cle: key ?? crypto.randomUUID(), type, item, le });
  // With a slow device clock `now()` repeats the same time. Raising the stored time keeps the order of the learner's actions.
  await see(le + 1).catch(ignore);
  tellOfChange('entries');
}

/** Drops entries that are too old. @param now the server's time in ms: the device's clock may be wrong */
export const dropOld = async (now: number): Promise<void> =>
  dropEntries((await entries()).filter(({ le }) => le < now - oldestMs).map(({ cle }) => cle));

/**
 * Sends this learner's entries. An entry is dropped after the server has confirmed it; an entry sent twice counts once.
 * @returns whether the learner has no more entries to send
 */
export async function sendOutbox(learner: string | undefined): Promise<boolean> {
  for (;;) {
    const entrees = (await entries())
      .filter((entry) => entry.learner === learner)
      .slice(0, maxEntriesPerCall)
      .map(({ learner, prepa, ...entry }): OutboxEntry => entry);
    if (!entrees.length) return true;
    const reply = await ask<{ prises: string[] }>('marques', { body: { learner, entrees } });
    const prises = reply?.body?.prises;
    if (!prises?.length) return false;
    await dropEntries(prises);
    tellOfChange('entries');
  }
}
