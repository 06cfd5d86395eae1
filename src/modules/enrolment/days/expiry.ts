import type { EntityManager } from '@mikro-orm/postgresql';
import { Enrolment } from '../access/enrolment.entity.ts';

/**
 * Marks enrolments whose end has passed, in one statement: idempotent, safe to run twice at once. Access never waits for it.
 * @returns how many were (or, on a dry run, would be) marked
 */
export async function expireEnrolments(em: EntityManager, now: Date, { dryRun = false } = {}): Promise<number> {
  const ended = { statut: 'active', dateExpiration: { $lte: now } } as const;
  return dryRun ? em.count(Enrolment, ended) : em.nativeUpdate(Enrolment, ended, { statut: 'expired' });
}
