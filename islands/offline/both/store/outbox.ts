import type { OutboxEntry } from '../../../../src/shared/offline/offline-copy.ts';
import { answer, writing } from './database.ts';
import { inTime, withEntry } from './marks.ts';
import type { Copy, StoredEntry, StoredItem, StoredMark } from './records.ts';
import { all } from './rows.ts';

/** Adds an entry, and resolves when it is on the disk. @throws Error when the item is not kept; StorageRefused when storage is full or refused */
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

/** Returns the unsent entries, oldest first. */
export const entries = async (): Promise<StoredEntry[]> => (await all<StoredEntry>('outbox')).sort(inTime);

/** Removes entries that the server has confirmed, and applies them to the stored server marks. */
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
