import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../../platform/database/named-statement.ts';
import { clockToleranceMs } from '../../../../shared/exams/answer-batch.ts';
import type { Given } from '../../../../shared/questions/grade.ts';

/** SQL: a time in ms since 1970. The parameter is SQL. */
const ms = (time: string): string => `(extract(epoch from ${time}) * 1000)`;

/**
 * SQL: the newest answer to each question that counts, of sittings `s` joined with their exams `x`: `exam_id`, `user_id`, `q`, `g` and its
 * time `t` in ms by the site's clock. The same rule as `newestAnswers` of src/shared/exams/answer-batch.ts. Answers that were taken back
 * have the JSON value null.
 * @param sittings SQL after `from`: `exam_sitting s join exam x …`, with its condition
 * @param cut SQL: the time up to which answers count
 */
export const newestAnswersSql = (sittings: string, cut = 'least(s.ends_at, s.handed_in_at)'): string => `
  select distinct on (exam_id, user_id, q) exam_id, user_id, q, g, t
  from (select b.exam_id, b.user_id, b.device, b.number, a.index, a.answer ->> 'q' as q, a.answer -> 'g' as g, ${ms('b.received_at')} as received,
               greatest(${ms('s.started_at')}, least(${ms('b.received_at')}, (a.answer ->> 't')::numeric
                 + case when abs(${ms('b.received_at')} - ${ms('b.sent_at')}) > ${clockToleranceMs} then ${ms('b.received_at')} - ${ms('b.sent_at')} else 0 end)) as t,
               ${ms(cut)} as cut
        from ${sittings}) given
  where t <= cut
  order by exam_id, user_id, q, t desc, received desc, device desc, number desc, index desc`;

/** SQL after `exam_sitting s join exam x`: the batches that count, with their answers `a`. */
export const countedBatches = `join exam_batch b on b.exam_id = s.exam_id and b.user_id = s.user_id
    and (b.received_at <= s.ends_at + make_interval(mins => x.grace) or s.late = 'accepted')
  cross join lateral jsonb_array_elements(b.answers) with ordinality as a (answer, index)`;

export interface NewestAnswer {
  q: string;
  g: Exclude<Given, { skipped: true }>;
  t: number;
}

const ofSitting = namedStatement<{ q: string; g: NewestAnswer['g'] | null; t: string }>({
  name: 'exams.newest-answers',
  text: `select q, g, t from (${newestAnswersSql(
    `exam_sitting s join exam x on x.id = s.exam_id ${countedBatches} where s.exam_id = $1 and s.user_id = $2`,
    'least(s.ends_at, s.handed_in_at, $3::timestamptz)',
  )}) newest where g <> 'null'`,
});

/** Returns the newest answer of a sitting to each question that was given up to this time, at most the end of the sitting. */
export const findNewestAnswers = async (em: EntityManager, examId: number, userId: string, until: Date): Promise<NewestAnswer[]> =>
  (await ofSitting(em, [examId, userId, until])).flatMap(({ q, g, t }) => (g ? [{ q, g, t: Math.round(Number(t)) }] : []));
