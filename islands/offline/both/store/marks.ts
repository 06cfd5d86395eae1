import type { KeptItem, KeptMark, OutboxEntry } from '../../../../src/shared/offline/offline-copy.ts';
import { finishedByReading } from '../../../../src/shared/study/kinds.ts';
import { answer, reading, writing } from './database.ts';
import type { StoredEntry, StoredItem, StoredMark } from './records.ts';

/** Two marks of an item within this time are one practice, as on the server, in ms. */
const samePracticeMs = 60_000;

/** Compares entries by the time of the action. */
export const inTime = (one: OutboxEntry, other: OutboxEntry): number => one.le - other.le;

/** Returns an item's mark after one more entry, by the server's rules. @param before null: no mark yet */
export function withEntry(before: KeptMark | null, { type, item, le }: OutboxEntry, of: Pick<KeptItem, 'kind' | 'corrige'>): KeptMark {
  const mark = before ?? { item, readAt: le, finished: false, verdict: null, markedAt: null, times: 0 };
  const markedAt = mark.markedAt ?? Number.NEGATIVE_INFINITY;
  if (type !== 'reussi' && type !== 'a_revoir') {
    const says = type !== 'lu' && finishedByReading(of.kind, of.corrige !== null);
    return { ...mark, readAt: Math.max(mark.readAt, le), finished: says ? type === 'termine' : mark.finished };
  }
  const times = mark.times + Number(markedAt <= le - samePracticeMs);
  return { ...mark, finished: true, times, ...(markedAt <= le && { verdict: type, markedAt: le }) };
}

/** Returns the marks of a prepa by item: the server's marks, with the unsent entries applied. */
export const marksOf = (prepaId: number): Promise<Map<number, KeptMark>> =>
  reading(['marks', 'outbox', 'items'], new Map<number, KeptMark>(), async (open) => {
    const stored = await answer<StoredMark[]>(open('marks').index('prepa').getAll(prepaId));
    const marks = new Map(stored.map(({ prepa, ...mark }) => [mark.item, mark as KeptMark]));
    const waiting = await answer<StoredEntry[]>(open('outbox').index('prepa').getAll(prepaId));
    for (const entry of waiting.sort(inTime)) {
      const item = await answer<StoredItem | undefined>(open('items').get(entry.item));
      if (item) marks.set(entry.item, withEntry(marks.get(entry.item) ?? null, entry, item));
    }
    return marks;
  });

/** Replaces all marks of a prepa by the server's. Does nothing when the prepa is not kept. */
export const putMarks = (prepaId: number, marks: readonly KeptMark[]): Promise<void> =>
  writing(['copies', 'marks'], async (open) => {
    if (!(await answer(open('copies').get(prepaId)))) return;
    for (const item of await answer(open('marks').index('prepa').getAllKeys(prepaId))) open('marks').delete(item);
    for (const mark of marks) open('marks').put({ ...mark, prepa: prepaId });
  });
