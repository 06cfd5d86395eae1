import { maxEntriesPerCall, type OutboxEntry } from '../../src/shared/offline/offline-copy.ts';
import { ask } from './ask.ts';
import { tellOfChange } from './store/changes.ts';
import { now, see } from './store/device.ts';
import { ignore } from './store/ignore.ts';
import { addEntry, dropEntries, entries } from './store/outbox.ts';

/** Longer than the server takes any entry for new, in ms: what is older is dropped. */
const oldestMs = 90 * 86_400_000;

/**
 * Notes that something was done on a kept item, to be sent.
 * @param key under which it counts once, however often it is noted; without one it is new
 * @throws StorageRefused when the browser keeps no more
 */
export async function note(type: OutboxEntry['type'], item: number, key?: string | null): Promise<void> {
  const le = await now();
  await addEntry({ cle: key ?? crypto.randomUUID(), type, item, le });
  // Where the device's own clock is behind, time stands still: what is done next is later all the same.
  await see(le + 1).catch(ignore);
  tellOfChange('entries');
}

/** @param now the server's: a device's clock may be ahead for a while */
export const dropOld = async (now: number): Promise<void> =>
  dropEntries((await entries()).filter(({ le }) => le < now - oldestMs).map(({ cle }) => cle));

/**
 * Sends what is to be sent of this learner; an entry is dropped when the server has said that it has it. Sent twice, it counts once.
 * @returns whether nothing of theirs is left
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
