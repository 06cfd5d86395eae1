import type { EntityManager } from '@mikro-orm/postgresql';
import type { FastifyRequest } from 'fastify';
import { AppError, notFound } from '../../../platform/errors.ts';
import { mayStudy, viewerOf } from '../../enrolment/index.ts';
import { sessionExpired } from '../../identity/index.ts';

/** Who asks for an item; of whoever was signed in, why that has ended. */
export const readerOf = (request: FastifyRequest) => {
  const { sessionExpired, sessionEnding } = request;
  return { ...viewerOf(request), sessionExpired, sessionEnding };
};
type Reader = ReturnType<typeof readerOf>;

/**
 * One item: whoever may study the prepa; everybody else the first of each kind of a published prepa (the trial).
 * @throws AppError 401 for an ended session, 404 when the prepa is not published, 403 otherwise
 */
export async function authoriseItem(
  em: EntityManager,
  item: { prepaId: number; isPublished: boolean; numeroPage: number },
  reader: Reader,
): Promise<void> {
  if (item.isPublished && item.numeroPage === 1) return;
  if (await mayStudy(em, item.prepaId, reader)) return;
  if (reader.sessionExpired) throw sessionExpired(reader.sessionEnding);
  if (!item.isPublished) throw notFound("Ce contenu n'existe pas ou n'existe plus.");
  throw new AppError('ITEM.LOCKED', 403, 'Ce contenu est réservé aux candidats inscrits à cette préparation.');
}
