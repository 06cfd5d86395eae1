import type { FastifyRequest } from 'fastify';
import { presentProgress, type StudyProgress } from '../../../shared/study/progress.ts';
import type { ItemMark } from './item-mark.ts';
import { progressQuery } from './reading.repository.ts';
import type { ReadingJournal } from './reading-journal.ts';

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
    if (!request.learner) return presentProgress(marks, [], {}, []);
    try {
      await request.server.readingJournal.flushSoon();
      const { rows, marked, resumes } = await findProgress(request.em, request.learner.id, request.context.clock.now(), prepaId);
      return presentProgress(marks, rows, marked, resumes);
    } catch (error) {
      request.log.error({ err: error }, 'progress could not be read');
      return presentProgress(marks, [], {}, []);
    }
  };
}
