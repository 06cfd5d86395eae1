import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../../platform/errors.ts';
import type { AskedRow } from './answer.repository.ts';

/** Returns whether the reader of this row may answer the question: enrolled learners, and everyone in a trial's open items. */
export const mayAnswer = ({ access, isOpen }: Pick<AskedRow, 'access' | 'isOpen'>): boolean => access || isOpen;

/** Refuses a reader who may not answer the question. @throws AppError 401 for a visitor, 403 for a learner without access */
export async function authoriseAnswer(request: FastifyRequest, reply: FastifyReply, asked: AskedRow): Promise<void> {
  if (mayAnswer(asked)) return;
  await request.server.requireLearner(request, reply);
  throw new AppError(
    'QUESTION.LOCKED',
    403,
    `Votre accès à ${asked.prepaNom} n'est pas ouvert ou a pris fin : votre réponse n'a pas été vérifiée. Renouvelez l'accès, puis répondez de nouveau.`,
  );
}
