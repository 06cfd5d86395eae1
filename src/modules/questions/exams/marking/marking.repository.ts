import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchExam } from './marking.errors.ts';

export interface LockedExam {
  id: number;
  prepaId: number;
  titre: string;
  announcedAt: Date | null;
  closesAt: Date;
  /** Minutes. */
  grace: number;
  markedAt: Date | null;
  publishedAt: Date | null;
}

/** Longest statement of a marking. That of 30,000 candidates takes some seconds; requests end after ten. */
const longestStatement = '5min';

/**
 * Locks an exam until the transaction ends, so that two markings do not mix. Batches still arrive meanwhile: their foreign keys do not wait
 * for this lock.
 * @throws AppError 404
 */
export async function lockExam(tx: EntityManager, id: number): Promise<LockedExam> {
  await tx.execute(`set local statement_timeout = '${longestStatement}'`);
  const [row] = await tx.execute<
    (Omit<LockedExam, 'announcedAt' | 'closesAt' | 'markedAt' | 'publishedAt'> & Record<string, string | null>)[]
  >(
    `select id, prepa_id as "prepaId", titre, announced_at as "announcedAt", closes_at as "closesAt", grace, marked_at as "markedAt",
            published_at as "publishedAt"
     from exam where id = ? for no key update`,
    [id],
  );
  if (!row) throw noSuchExam();
  const time = (value: string | null | undefined) => (value == null ? null : new Date(value));
  return {
    id: row.id,
    prepaId: row.prepaId,
    titre: row.titre,
    grace: row.grace,
    announcedAt: time(row.announcedAt),
    closesAt: new Date(row.closesAt ?? 0),
    markedAt: time(row.markedAt),
    publishedAt: time(row.publishedAt),
  };
}

/** Time after the grace for requests that arrived in time to be stored, in ms. */
export const storingMs = 60_000;

/** Returns when an exam can be marked: no answer that arrives later counts by itself, and those that arrived in time are stored. */
export const markedFrom = ({ closesAt, grace }: Pick<LockedExam, 'closesAt' | 'grace'>): Date =>
  new Date(closesAt.getTime() + grace * 60_000 + storingMs);

/**
 * Stores when an exam was marked. Each marking gets another time, which is the version of the results.
 * @returns number of candidates
 */
export async function setMarked(tx: EntityManager, id: number, now: Date): Promise<number> {
  const [row] = await tx.execute<{ candidates: number }[]>(
    `update exam set marked_at = greatest(?::timestamptz, marked_at + interval '1 millisecond'), revision = revision + 1 where id = ?
     returning (select count(*)::int from exam_result where exam_id = exam.id) as candidates`,
    [now.toISOString(), id],
  );
  return row?.candidates ?? 0;
}
