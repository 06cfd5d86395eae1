import type { EntityManager } from '@mikro-orm/postgresql';
import { notFound } from '../../platform/errors.ts';
import { findPrepa, type PrepaRow } from '../catalogue/index.ts';
import type { Learner } from '../identity/index.ts';
import { hasAccess } from './enrolment.repository.ts';

interface Viewer {
  learner: Learner | null;
  now: Date;
}

/**
 * A prepa that this viewer may see: published, or still open to whoever is enrolled (design §4, unpublishing).
 * @throws AppError 404 otherwise: an unpublished prepa is not there for the others
 */
export async function visiblePrepa(em: EntityManager, prepaId: number, { learner, now }: Viewer): Promise<PrepaRow> {
  const prepa = await findPrepa(em, prepaId);
  if (prepa && (prepa.is_published || (learner && (await hasAccess(em, learner.id, prepaId, now))))) return prepa;
  throw notFound("Cette préparation n'existe pas ou n'est plus disponible.");
}
