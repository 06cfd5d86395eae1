import type { EntityManager } from '@mikro-orm/postgresql';
import type { FastifyRequest } from 'fastify';
import { AppError, notFound } from '../../../platform/errors.ts';
import { mayStudy, viewerOf } from '../../enrolment/index.ts';
import { sessionExpired } from '../../identity/index.ts';
import type { ReadableItem } from './item.repository.ts';

/** Returns the reader of a request. If the session has ended, `sessionEnding` holds the reason. */
export const readerOf = (request: FastifyRequest) => {
  const { sessionExpired, sessionEnding } = request;
  return { ...viewerOf(request), sessionExpired, sessionEnding };
};
type Reader = ReturnType<typeof readerOf>;

/**
 * Throws unless the reader may read the item. Everyone who may study the prepa reads all items that learners see; others read the first
 * item of each kind of a published prepa (the trial).
 * @throws AppError 401 for an ended session, 404 when the prepa is not published, 403 otherwise
 */
export async function authoriseItem(em: EntityManager, item: ReadableItem, reader: Reader): Promise<void> {
  if (!item.isShown && !reader.administrator) throw notFound("Ce contenu n'existe pas ou n'existe plus.");
  if (item.isPublished && item.isOpen) return;
  if (await mayStudy(em, item.prepaId, reader)) return;
  if (reader.sessionExpired) throw sessionExpired(reader.sessionEnding);
  if (!item.isPublished) throw notFound("Ce contenu n'existe pas ou n'existe plus.");
  throw new AppError('ITEM.LOCKED', 403, 'Ce contenu est réservé aux candidats inscrits à cette préparation.');
}
