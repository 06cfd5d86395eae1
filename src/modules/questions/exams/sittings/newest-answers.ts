import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../../platform/database/named-statement.ts';
import type { Given } from '../../../../shared/questions/grade.ts';
import { answerTime, batchTimes, isTaken, msOf } from '../exam/answer-time.ts';

interface NewestAnswer {
  q: string;
  g: Exclude<Given, { skipped: true }>;
  /** When it was given, in ms by the site's clock. */
  t: number;
}

// The rule of `newestAnswers` in src/shared/exams/answer-batch.ts.
const newest = namedStatement<{ q: string; g: NewestAnswer['g'] | null; t: string }>({
  name: 'exams.newest-answers',
  text: `
  select q, g, t from (
    select distinct on (q) q, g, t
    from (select b.device, b.number, e.index, e.answer ->> 'q' as q, e.answer -> 'g' as g, b.received_at, ${answerTime(msOf('s.started_at'))} as t,
                 ${msOf('least(s.ends_at, s.handed_in_at, $3::timestamptz)')} as cut
          from exam_sitting s join exam x on x.id = s.exam_id
          join exam_batch b on b.exam_id = s.exam_id and b.user_id = s.user_id and (${isTaken} or s.late = 'waiting' and x.published_at is null)
          cross join lateral ${batchTimes}
          cross join lateral jsonb_array_elements(b.answers) with ordinality as e (answer, index)
          where s.exam_id = $1 and s.user_id = $2) given
    where t <= cut
    order by q, t desc, received_at desc, device desc, number desc, index desc
  ) newest where g <> 'null'`,
});

/**
 * Returns the newest answer of a sitting to each question that was given up to this time, at most the end of the sitting, for its candidate
 * to read: answers that arrived after the grace are among them while they wait for a decision.
 */
export const findNewestAnswers = async (em: EntityManager, examId: number, userId: string, until: Date): Promise<NewestAnswer[]> =>
  (await newest(em, [examId, userId, until])).flatMap(({ q, g, t }) => (g ? [{ q, g, t: Number(t) }] : []));
