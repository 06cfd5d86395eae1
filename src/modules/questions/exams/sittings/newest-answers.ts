import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../../platform/database/named-statement.ts';
import { clockToleranceMs } from '../../../../shared/exams/answer-batch.ts';
import type { Given } from '../../../../shared/questions/grade.ts';

interface NewestAnswer {
  q: string;
  g: Exclude<Given, { skipped: true }>;
  /** When it was given, in ms by the site's clock. */
  t: number;
}

/** SQL: a time in ms since 1970. The parameter is SQL. */
const ms = (time: string): string => `(extract(epoch from ${time}) * 1000)`;
const difference = `(${ms('b.received_at')} - ${ms('b.sent_at')})`;

// The rule of `newestAnswers` in src/shared/exams/answer-batch.ts. Batches after the grace count if they had arrived when an administrator accepted them.
const newest = namedStatement<{ q: string; g: NewestAnswer['g'] | null; t: string }>({
  name: 'exams.newest-answers',
  text: `
  select q, g, t from (
    select distinct on (q) q, g, t
    from (select b.device, b.number, a.index, a.answer ->> 'q' as q, a.answer -> 'g' as g, ${ms('b.received_at')} as received,
                 greatest(${ms('s.started_at')}, least(${ms('b.received_at')}, (a.answer ->> 't')::numeric
                   + case when abs(${difference}) > ${clockToleranceMs} then ${difference} else 0 end)) as t,
                 ${ms('least(s.ends_at, s.handed_in_at, $3::timestamptz)')} as cut
          from exam_sitting s join exam x on x.id = s.exam_id
          join exam_batch b on b.exam_id = s.exam_id and b.user_id = s.user_id
            and (b.received_at <= s.ends_at + make_interval(mins => x.grace) or b.received_at <= s.late_until)
          cross join lateral jsonb_array_elements(b.answers) with ordinality as a (answer, index)
          where s.exam_id = $1 and s.user_id = $2) given
    where t <= cut
    order by q, t desc, received desc, device desc, number desc, index desc
  ) newest where g <> 'null'`,
});

/** Returns the newest answer of a sitting to each question that was given up to this time, at most the end of the sitting. */
export const findNewestAnswers = async (em: EntityManager, examId: number, userId: string, until: Date): Promise<NewestAnswer[]> =>
  (await newest(em, [examId, userId, until])).flatMap(({ q, g, t }) => (g ? [{ q, g, t: Math.round(Number(t)) }] : []));
