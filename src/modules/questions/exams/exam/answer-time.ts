import { clockToleranceMs } from '../../../../shared/exams/answer-batch.ts';

/** SQL of the rules in src/shared/exams/answer-batch.ts, for sitting `s` of exam `x`, its batch `b`, and answer `e.answer` in it. */

/** SQL: a time in whole ms since 1970, as JavaScript reads it. The parameter is SQL. */
export const msOf = (time: string): string => `floor(extract(epoch from ${time}) * 1000)::bigint`;

/** SQL: whether the batch came within the grace, or before an administrator accepted late answers. */
export const isTaken = '(b.received_at <= s.ends_at + make_interval(mins => x.grace) or b.received_at <= s.late_until)';

/** SQL for `from`: when the batch was received and sent, in ms. `offset 0`: computed once for each batch, not for each answer. */
export const batchTimes = `(select ${msOf('b.received_at')} as received, ${msOf('b.sent_at')} as sent offset 0) m`;

/** SQL: when the answer was given, in ms: `answeredAt`. It reads `batchTimes`. @param started SQL: start of the sitting, in ms */
export const answerTime = (started: string): string =>
  `greatest(${started}, least(m.received, (e.answer ->> 't')::bigint
     + case when abs(m.received - m.sent) > ${clockToleranceMs} then m.received - m.sent else 0 end))`;
