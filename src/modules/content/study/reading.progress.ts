import type { FastifyRequest } from 'fastify';
import type { ItemMark } from './item-mark.ts';
import { type MarkedCounts, type ProgressRow, progressQuery } from './reading.repository.ts';
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
    if (!request.learner) return presentProgress(marks, [], {});
    try {
      await request.server.readingJournal.flushSoon();
      const { rows, marked } = await findProgress(request.em, request.learner.id, request.context.clock.now(), prepaId);
      return presentProgress(marks, rows, marked);
    } catch (error) {
      request.log.error({ err: error }, 'progress could not be read');
      return presentProgress(marks, [], {});
    }
  };
}

export function presentProgress(marks: readonly ItemMark[], all: readonly ProgressRow[], marked: MarkedCounts): StudyProgress {
  // A discipline without items is no part of anybody's progress.
  const rows = all.filter(({ total }) => total > 0);
  const links = marks.flatMap(({ field, page: { href, label } }) => {
    const count = marked[field] ?? 0;
    return rows.length > 0 && count > 0 ? [{ href, label: `${label} (${count})` }] : [];
  });
  const progress: StudyProgress = { prepas: {}, disciplines: {}, resume: null, links };
  // The newest reading first: what a prepa was left at is what its discipline was left at.
  for (const row of rows.toSorted((one, other) => (other.readAt ?? 0) - (one.readAt ?? 0))) {
    const { prepaId, disciplineId, last, done, total } = row;
    const lastRead = last && `/user/prepa/${prepaId}/${disciplineId}?type=${last.kind}&item=${last.id}`;
    if (last && lastRead) progress.resume ??= { prepaId, titre: last.titre, href: lastRead };
    progress.disciplines[disciplineId] = { done, total, lastRead };
    const prepa: Progress = progress.prepas[prepaId] ?? { done: 0, total: 0, lastRead };
    progress.prepas[prepaId] = { done: prepa.done + done, total: prepa.total + total, lastRead: prepa.lastRead };
  }
  return progress;
}
