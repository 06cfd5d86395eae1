import { maxEntriesPerCall, type OutboxEntry } from '../../src/shared/offline/offline-copy.ts';
import { ask } from './ask.ts';
import { now } from './store/device.ts';
import { addEntry, dropEntries, entries } from './store/outbox.ts';

/** Longer than the server takes any entry for new, in ms: what is older is dropped. */
const oldestMs = 90 * 86_400_000;

/** Notes that something was done on a kept item, to be sent. @throws StorageRefused when the browser keeps no more */
export async function note(type: OutboxEntry['type'], item: number): Promise<void> {
  await addEntry({ cle: crypto.randomUUID(), type, item, le: await now() });
}

/**
 * Sends what is to be sent of this learner; an entry is dropped when the server has said that it has it. Sent twice, it counts once.
 * @returns whether nothing of theirs is left
 */
export async function sendOutbox(learner: string): Promise<boolean> {
  const oldest = (await now()) - oldestMs;
  await dropEntries((await entries()).filter(({ le }) => le < oldest).map(({ cle }) => cle));
  for (;;) {
    const entrees = (await entries())
      .filter((entry) => entry.learner === learner)
      .slice(0, maxEntriesPerCall)
      .map(({ cle, type, item, le }) => ({ cle, type, item, le }));
    if (entrees.length === 0) return true;
    const reply = await ask<{ prises: string[] }>('marques', { body: { entrees } });
    const prises = reply?.ok ? reply.body?.prises : null;
    if (!prises?.length) return false;
    await dropEntries(prises);
  }
}
