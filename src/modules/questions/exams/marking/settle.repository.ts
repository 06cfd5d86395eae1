import type { EntityManager } from '@mikro-orm/postgresql';
import { answerTime, batchTimes, isTaken, msOf } from '../exam/answer-time.ts';

/**
 * SQL: the answers of sitting `s` of exam `x` that count, by question: what `newestAnswers` returns for its batches. Evaluated for one
 * sitting after another, so that each sort is small. `asked` has the ids of the exam's questions, `l` the sitting's bounds in ms.
 */
const settledAnswers = `(
  select coalesce(jsonb_object_agg(newest.question, newest.given) filter (where newest.given <> 'null'::jsonb and jsonb_exists((select ids from asked), newest.question)), '{}')
  from (select distinct on (a.question) a.question, a.given
        from exam_batch b
             cross join lateral ${batchTimes}
             cross join lateral jsonb_array_elements(b.answers) with ordinality as e(answer, place)
             cross join lateral (
               select e.answer ->> 'q' as question, e.answer -> 'g' as given,
                      ${answerTime('l.first')} as at
               offset 0) a
        where b.exam_id = s.exam_id and b.user_id = s.user_id
          and ${isTaken} and a.at <= l.last
        order by a.question, a.at desc, b.received_at desc, b.device desc, b.number desc, e.place desc) newest)`;

/** Which sittings are settled: all, those without a result, or one candidate's. */
export type Settled = 'all' | 'missing' | { userId: string };

/** Hands in the sittings whose candidates did not. Rows are locked in the order of their primary key, as by hand-ins. */
export const handInAbsent = (tx: EntityManager, examId: number, now: Date) =>
  tx.execute(
    `with absent as materialized (
       select exam_id, user_id from exam_sitting where exam_id = ? and ending is null order by exam_id, user_id for no key update)
     update exam_sitting s set handed_in_at = ?, ending = 'site' from absent a where s.exam_id = a.exam_id and s.user_id = a.user_id`,
    [examId, now.toISOString()],
  );

/**
 * Stores the answers that count of each sitting that was handed in, in one statement. Marks and ranks follow (`scoreResults`).
 * @returns number of sittings that were settled
 */
export async function settleAnswers(tx: EntityManager, examId: number, which: Settled): Promise<number> {
  const only = typeof which === 'object' ? which.userId : null;
  const { affectedRows } = await tx.execute<{ affectedRows: number }>(
    `with asked as materialized (select jsonb_agg(question_id) as ids from exam_question where exam_id = ?)
     insert into exam_result (exam_id, user_id, answers, points, rights, wrongs, blanks, rank, by_paper)
     select s.exam_id, s.user_id, ${settledAnswers}, 0, 0, 0, 0, 0, '{}'
     from exam_sitting s join exam x on x.id = s.exam_id
          cross join lateral (select ${msOf('s.started_at')} as first, ${msOf('least(s.ends_at, s.handed_in_at)')} as last offset 0) l
     where x.id = ? and s.ending is not null and (?::uuid is null or s.user_id = ?::uuid)
       and (not ?::boolean or not exists (select from exam_result r where r.exam_id = s.exam_id and r.user_id = s.user_id))
     on conflict (exam_id, user_id) do update set answers = excluded.answers`,
    [examId, examId, only, only, which === 'missing'],
    'run',
  );
  return affectedRows;
}
