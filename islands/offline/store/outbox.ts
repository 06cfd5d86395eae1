import type { OutboxEntry } from '../../../src/shared/offline/offline-copy.ts';
import { answer, writing } from './database.ts';
import { inTime, withEntry } from './marks.ts';
import type { Copy, StoredEntry, StoredItem, StoredMark } from './records.ts';
import { all } from './rows.ts';

/** On the disk when it resolves: it cannot be had again. @throws Error when the item is not kept, StorageRefused when the browser keeps no more */
export const addEntry = (entry: OutboxEntry): Promise<void> =>
  writing(
    ['copies', 'items', 'outbox'],
    async (open) => {
      const item = await answer<StoredItem | undefined>(open('items').get(entry.item));
      const copy = item && (await answer<Copy | undefined>(open('copies').get(item.prepa)));
      if (!copy) throw new Error('not kept');
      open('outbox').put({ ...entry, prepa: copy.id, learner: copy.learner });
    },
    'strict',
  );

/** The oldest first. */
export const entries = async (): Promise<StoredEntry[]> => (await all<StoredEntry>('outbox')).sort(inTime);

/** The server has them: they become marks of its. */
export const dropEntries = (keys: readonly string[]): Promise<void> =>
  writing(['outbox', 'marks', 'items'], async (open) => {
    const found = await Promise.all(keys.map((key) => answer<StoredEntry | undefined>(open('outbox').get(key))));
    for (const entry of found.filter((entry) => !!entry).sort(inTime)) {
      const item = await answer<StoredItem | undefined>(open('items').get(entry.item));
      const mark = await answer<StoredMark | undefined>(open('marks').get(entry.item));
      if (item) open('marks').put({ ...withEntry(mark ?? null, entry, item), prepa: item.prepa });
      open('outbox').delete(entry.cle);
    }
  });
