import type { FastifyRequest } from 'fastify';
import { findProgress, type ProgressRow } from './reading.repository.ts';
import type { ReadingJournal } from './reading-journal.ts';

/** How far a learner is with a prepa or a discipline. */
interface Progress {
  /** Items read, of `total`. */
  done: number;
  total: number;
  /** The study page of the item read last; null before the first. */
  lastRead: string | null;
}

/** What a learner has made of the prepas that are open to them, by id. */
export interface StudyProgress {
  prepas: Partial<Record<number, Progress>>;
  disciplines: Partial<Record<number, Progress>>;
  /** The study page of what was read last in any of them; null before the first item. */
  lastRead: string | null;
  /** Exercises and past subjects marked 'à revoir'. */
  aRevoir: number;
}

declare module 'fastify' {
  interface FastifyInstance {
    readingJournal: ReadingJournal;
  }
}

/**
 * How far the signed-in learner is, and where they stopped. Never throws: a page without progress is better than none. One statement, none for a visitor.
 * @param prepaId the only prepa that is asked for; null: all
 */
export async function readProgress(request: FastifyRequest, prepaId: number | null = null): Promise<StudyProgress> {
  if (!request.learner) return presentProgress([]);
  try {
    await request.server.readingJournal.flushSoon();
    return presentProgress(await findProgress(request.em, request.learner.id, request.context.clock.now(), prepaId));
  } catch (error) {
    request.log.error({ err: error }, 'progress could not be read');
    return presentProgress([]);
  }
}

function presentProgress(rows: ProgressRow[]): StudyProgress {
  const progress: StudyProgress = { prepas: {}, disciplines: {}, lastRead: null, aRevoir: rows[0]?.aRevoir ?? 0 };
  // The newest reading first: what a prepa was left at is what its discipline was left at.
  for (const row of rows.toSorted((one, other) => Number(other.readAt) - Number(one.readAt))) {
    const { prepaId, disciplineId, kind, itemId, done, total } = row;
    const lastRead = itemId === null ? null : `/user/prepa/${prepaId}/${disciplineId}?type=${kind}&item=${itemId}`;
    progress.lastRead ??= lastRead;
    progress.disciplines[disciplineId] = { done, total, lastRead };
    const prepa: Progress = progress.prepas[prepaId] ?? { done: 0, total: 0, lastRead };
    progress.prepas[prepaId] = { done: prepa.done + done, total: prepa.total + total, lastRead: prepa.lastRead };
  }
  return progress;
}
