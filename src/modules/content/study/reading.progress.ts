import type { FastifyRequest } from 'fastify';
import type { ItemMark } from './item-mark.ts';
import { type ProgressRow, progressQuery } from './reading.repository.ts';
import type { ReadingJournal } from './reading-journal.ts';

/** How far a learner is with a prepa or a discipline. */
interface Progress {
  /** Items finished, of `total`. */
  done: number;
  total: number;
  /** The study page of the item opened last; null before the first. */
  lastRead: string | null;
}

/** What a learner has made of the prepas that are open to them, by id. */
export interface StudyProgress {
  prepas: Partial<Record<number, Progress>>;
  disciplines: Partial<Record<number, Progress>>;
  /** What was opened last in any of them; null before the first item. */
  resume: { prepaId: number; titre: string; href: string } | null;
  /** To the lists of what is marked, each with its count. */
  links: { href: string; label: string }[];
}

declare module 'fastify' {
  interface FastifyInstance {
    readingJournal: ReadingJournal;
  }
}

/**
 * How far the signed-in learner is, and where they stopped. Never throws: a page without progress is better than none. One statement, none for a visitor.
 * `prepaId` is the only prepa that is asked for; null: all.
 */
export function progressReader(marks: readonly ItemMark[]) {
  const findProgress = progressQuery(marks);
  return async (request: FastifyRequest, prepaId: number | null = null): Promise<StudyProgress> => {
    if (!request.learner) return presentProgress([], marks);
    try {
      await request.server.readingJournal.flushSoon();
      return presentProgress(await findProgress(request.em, request.learner.id, request.context.clock.now(), prepaId), marks);
    } catch (error) {
      request.log.error({ err: error }, 'progress could not be read');
      return presentProgress([], marks);
    }
  };
}

function presentProgress(rows: ProgressRow[], marks: readonly ItemMark[]): StudyProgress {
  const links = marks.flatMap(({ field, page: { href, label } }) => {
    const count = rows[0]?.marked[field] ?? 0;
    return count > 0 ? [{ href, label: `${label} (${count})` }] : [];
  });
  const progress: StudyProgress = { prepas: {}, disciplines: {}, resume: null, links };
  // The newest reading first: what a prepa was left at is what its discipline was left at.
  for (const row of rows.toSorted((one, other) => Number(other.readAt) - Number(one.readAt))) {
    const { prepaId, disciplineId, kind, itemId, titre, done, total } = row;
    const lastRead = itemId === null ? null : `/user/prepa/${prepaId}/${disciplineId}?type=${kind}&item=${itemId}`;
    if (lastRead !== null && titre !== null) progress.resume ??= { prepaId, titre, href: lastRead };
    progress.disciplines[disciplineId] = { done, total, lastRead };
    const prepa: Progress = progress.prepas[prepaId] ?? { done: 0, total: 0, lastRead };
    progress.prepas[prepaId] = { done: prepa.done + done, total: prepa.total + total, lastRead: prepa.lastRead };
  }
  return progress;
}
