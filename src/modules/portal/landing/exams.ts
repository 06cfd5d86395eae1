import type { FastifyRequest } from 'fastify';
import type { LandingExam } from '../../catalogue/index.ts';
import { listFreeExams, presentFreeExams } from '../../questions/index.ts';
import { keptRead } from './kept-read.ts';

/** Time for which the landing page's mock exams are cached, in ms. */
const keptMs = 60_000;

/** Returns a function that reads the next mock exams that everybody may take. */
export function landingExams() {
  const read = keptRead(keptMs, 'the mock exams of the landing page could not be read', ({ em, context }) =>
    listFreeExams(em, context.clock.now()),
  );
  return async (request: FastifyRequest): Promise<LandingExam[]> => presentFreeExams(await read(request), request.context.clock.now());
}
