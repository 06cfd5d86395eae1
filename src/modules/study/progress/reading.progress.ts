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
 * Returns a function that reads the signed-in learner's progress and where they stopped.
 * It never throws: on an error the page is shown without progress. It sends one statement, none for a visitor. `prepaId` limits it to
 * one prepa; null reads all.
 */
export function progressReader(marks: readonly ItemMark[]) {
  const findProgress = progressQuery(marks);
  return async (request: FastifyRequest, prepaId: number | null = null): Promise<StudyProgress> => {
    if (!request.learner) return presentProgress(marks, [], {}, []);
    try {
      await request.server.readingJournal.flushSoon();
      const { rows, marked, resumes, builtUp } = await findProgress(request.em, request.learner.id, request.context.clock.now(), prepaId);
      return presentProgress(marks, rows, marked, resumes, builtUp);
    } catch (error) {
      request.log.error({ err: error }, 'progress could not be read');
      return presentProgress(marks, [], {}, []);
    }
  };
}
