import type { EntityManager } from '@mikro-orm/postgresql';

/**
 * Locks the exams that a learner has sat until the transaction ends: a marking would store their result anew.
 * @returns ids of the exams
 */
export async function lockExamsOf(tx: EntityManager, userId: string): Promise<number[]> {
  const rows = await tx.execute<{ id: number }[]>(
    'select id from exam where id in (select exam_id from exam_sitting where user_id = ?) order by id for no key update',
    [userId],
  );
  return rows.map(({ id }) => id);
}

/**
 * Ranks the candidates who remain in marked exams, after a learner's erasure. The exams get another time of marking, which is the version
 * of the results. The caller holds their locks (`lockExamsOf`).
 */
export async function rankRemaining(tx: EntityManager, examIds: readonly number[], now: Date): Promise<void> {
  if (examIds.length === 0) return;
  const ids = JSON.stringify(examIds);
  await tx.execute(
    `update exam_result r set rank = s.rank
     from (select exam_id, user_id, rank() over (partition by exam_id order by points desc) as rank from exam_result
           where exam_id in (select value::int from jsonb_array_elements_text(?))) s
     where r.exam_id = s.exam_id and r.user_id = s.user_id and r.rank <> s.rank`,
    [ids],
  );
  await tx.execute(
    `update exam set marked_at = greatest(?::timestamptz, marked_at + interval '1 millisecond'), revision = revision + 1
     where id in (select value::int from jsonb_array_elements_text(?)) and marked_at is not null`,
    [now.toISOString(), ids],
  );
}
