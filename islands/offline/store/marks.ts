import type { KeptItem, KeptMark, OutboxEntry } from '../../../src/shared/offline/offline-copy.ts';

/** Marked again within so many ms, it is the same practice, as on the server. */
const samePracticeMs = 60_000;

/** What a mark is after one more thing was done, as the server will count it. @param before null: nothing yet */
export function withEntry(before: KeptMark | null, { type, item, le }: OutboxEntry, of: Pick<KeptItem, 'kind' | 'corrige'>): KeptMark {
  const mark = before ?? { item, readAt: le, finished: false, verdict: null, markedAt: null, times: 0 };
  if (type === 'lu') return { ...mark, readAt: Math.max(mark.readAt, le) };
  // An exercise with a correction is finished by marking oneself alone.
  if (type === 'termine') {
    const finished = mark.finished || of.kind !== 'exercise' || of.corrige === null;
    return { ...mark, readAt: Math.max(mark.readAt, le), finished };
  }
  const times = mark.times + (mark.markedAt === null || mark.markedAt <= le - samePracticeMs ? 1 : 0);
  if (mark.markedAt !== null && mark.markedAt > le) return { ...mark, times, finished: true };
  return { ...mark, finished: true, verdict: type, markedAt: le, times };
}
