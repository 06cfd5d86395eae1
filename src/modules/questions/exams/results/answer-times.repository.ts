import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../../platform/database/named-statement.ts';
import { answerTime, batchTimes, msOf } from '../exam/answer-time.ts';

/** Copies whose times are read: enough for a median, and few enough for a page of an exam with 30,000 copies. */
export const timedCopies = 500;

const times = namedStatement<{ questionId: string; seconds: number }>({
  name: 'exams.answer-times',
  // A sheet without scripts gives all its answers at one time: they say nothing of a single question.
  text: `with sample as materialized (
                select exam_id, user_id, ${msOf('started_at')} as first, ${msOf('least(ends_at, handed_in_at)')} as last
                from exam_sitting where exam_id = $1 and ending is not null order by md5(user_id::text) limit ${timedCopies}),
              given as (
                select s.user_id, s.first, e.answer ->> 'q' as question_id, min(a.at) as at
                from sample s join exam_batch b on b.exam_id = s.exam_id and b.user_id = s.user_id
                     cross join lateral ${batchTimes}
                     cross join lateral jsonb_array_elements(b.answers) as e(answer)
                     cross join lateral (select ${answerTime('s.first')} as at) a
                where e.answer -> 'g' <> 'null'::jsonb and a.at <= s.last group by s.user_id, s.first, e.answer ->> 'q'),
              spent as (
                select question_id, at - lag(at, 1, first) over (partition by user_id order by at, question_id) as spent,
                       count(*) over (partition by user_id, at) as together
                from given)
         select question_id, (percentile_cont(0.5) within group (order by spent::float8) / 1000)::float8 as seconds
         from spent where together = 1 group by question_id`,
});

/**
 * Returns the median time of each question, in seconds: from a candidate's answer before to their first answer to it. Of a sample of copies;
 * empty once the batches of answers are pruned.
 */
export const findAnswerTimes = async (em: EntityManager, examId: number): Promise<ReadonlyMap<string, number>> =>
  new Map((await times(em, [examId])).map(({ questionId, seconds }) => [questionId, seconds]));
