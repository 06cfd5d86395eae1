import type { EntityManager } from '@mikro-orm/postgresql';
import { Enrolment } from '../access/enrolment.entity.ts';

/**
 * Marks enrolments whose end has passed, in one statement. Idempotent and safe to run concurrently. Access does not depend on it.
 * @returns the number marked, or, in a dry run, to be marked
 */
export async function expireEnrolments(em: EntityManager, now: Date, { dryRun = false } = {}): Promise<number> {
  const ended = { statut: 'active', dateExpiration: { $lte: now } } as const;
  return dryRun ? em.count(Enrolment, ended) : em.nativeUpdate(Enrolment, ended, { statut: 'expired' });
}

/** Returns the earliest past end of an enrolment that is not marked yet; null when all are marked. */
export async function oldestEndNotMarked(em: EntityManager, now: Date): Promise<Date | null> {
  const [row] = await em.find(
    Enrolment,
    { statut: 'active', dateExpiration: { $lte: now } },
    { orderBy: { dateExpiration: 'asc' }, limit: 1 },
  );
  return row?.dateExpiration ?? null;
}
