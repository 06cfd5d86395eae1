import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';

/** How far a learner is with a prepa or a discipline. */
export interface Progress {
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

/** @param prepaId the only prepa that is asked for; null: all */
export type ProgressContributor = (request: FastifyRequest, prepaId: number | null) => Promise<StudyProgress>;

declare module 'fastify' {
  interface FastifyInstance {
    /** Said once, by the module that knows what is read. */
    contributeProgress(contributor: ProgressContributor): void;
    /** Never throws: a page without progress is better than none. One statement, none for a visitor. */
    studyProgress(request: FastifyRequest, prepaId?: number): Promise<StudyProgress>;
  }
}

/** What is read belongs to a module to the right; the dashboard and the disciplines of a prepa show it. */
export const contributions = fp(
  async (app) => {
    let contribute: ProgressContributor | null = null;
    const none: StudyProgress = { prepas: {}, disciplines: {}, lastRead: null, aRevoir: 0 };
    app.decorate('contributeProgress', (contributor: ProgressContributor) => {
      contribute = contributor;
    });
    app.decorate('studyProgress', async (request: FastifyRequest, prepaId?: number) => {
      if (!contribute || !request.learner) return none;
      return contribute(request, prepaId ?? null).catch((error: unknown) => {
        request.log.error({ err: error }, 'progress could not be read');
        return none;
      });
    });
  },
  { name: 'enrolment-contributions' },
);
