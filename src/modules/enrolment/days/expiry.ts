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

/** The end that has passed longest ago without having been marked; null: all are. */
export async function oldestEndNotMarked(em: EntityManager, now: Date): Promise<Date | null> {
  const [row] = await em.find(
    Enrolment,
    { statut: 'active', dateExpiration: { $lte: now } },
    { orderBy: { dateExpiration: 'asc' }, limit: 1 },
  );
  return row?.dateExpiration ?? null;
}
