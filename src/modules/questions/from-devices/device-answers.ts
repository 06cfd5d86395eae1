import type { EntityManager } from '@mikro-orm/postgresql';
import { readRows } from '../../../platform/database/rows.ts';
import type { ItemKind } from '../../../shared/item-kinds.ts';
import type { AnswerFields } from '../../../shared/questions/answer-form.ts';
import { isRight } from '../../../shared/questions/grade.ts';
import { readGiven } from '../../../shared/questions/read-given.ts';
import { timeWithinAccess } from '../../enrolment/index.ts';
import { type AskedRow, type JudgedAnswer, sectionSql, storeAnswers } from '../answers/answer.repository.ts';
import { questionOf } from '../answers/answer.service.ts';
import { finishAllSeries } from '../series/attempt.repository.ts';

/** An answer that a learner gave in a kept copy. */
export interface DeviceAnswer extends AnswerFields {
  /** Idempotency key: the same as that of the call that judges answers. */
  cle: string;
  question: string;
  /** Time of the answer by the device's clock, in ms. */
  le: number;
}

interface AnsweredRow extends Pick<AskedRow, 'id' | 'key' | 'keyVersion' | 'itemId' | 'itemVersion' | 'section'> {
  cle: string;
  kind: ItemKind;
  /** Text of a timestamp. */
  at: string;
}

/** SQL: the questions of answers that the learner could give at their time, and may still be asked. */
const answered = `
  select s.cle, w.at, q.id, q.key, q.key_version, i.id as item_id, i.version as item_version, i.kind, ${sectionSql('i.contenu', 'q.id')} as section
  from jsonb_to_recordset(?::jsonb) as s(cle uuid, question text, le float8)
       join question q on q.id = s.question and q.usable and q.position is not null
       join item i on i.id = q.item_id join discipline d on d.id = i.discipline_id
       join enrolment e on e.user_id = ?::uuid and e.prepa_id = d.prepa_id ${timeWithinAccess('to_timestamp(s.le / 1000.0)', '?')}`;

/**
 * Judges answers from a learner's devices by the current keys and stores each once, with its time. Left out are answers outside of the paid
 * days, to questions that are gone, and those that are no answer to the question as it is now. The caller holds the learner's row lock, so
 * that the series of concurrent calls are counted one after another.
 * @returns the items of the stored answers, for `finishAnsweredSeries`
 */
export async function takeDeviceAnswers(tx: EntityManager, userId: string, now: Date, answers: readonly DeviceAnswer[]): Promise<number[]> {
  if (answers.length === 0) return [];
  const sent = new Map(answers.map((answer) => [answer.cle.toLowerCase(), answer]));
  const rows = await readRows<AnsweredRow>(tx, answered, [
    JSON.stringify([...sent].map(([cle, { question, le }]) => ({ cle, question, le }))),
    userId,
    now,
  ]);
  const judged = rows.flatMap((row) => judge(row, sent.get(row.cle) ?? {}));
  if (judged.length > 0) await storeAnswers(tx, userId, judged);
  return [...new Set(rows.filter(({ kind }) => kind === 'quiz').map(({ itemId }) => itemId))];
}

function judge(row: AnsweredRow, fields: AnswerFields): JudgedAnswer[] {
  const { cle, id: questionId, key, keyVersion, itemVersion, kind, at } = row;
  const given = readGiven(questionOf(row), fields, { numbersOnly: false });
  if (typeof given === 'string') return [];
  const right = isRight(key, given);
  const context = kind === 'quiz' ? 'series' : 'text';
  return [{ cle, questionId, keyVersion, itemVersion, context, given, isRight: right, points: right ? key.points : 0, at: new Date(at) }];
}

/**
 * Marks the series among the items as finished when each of their questions was answered. Runs in a transaction of its own with the learner's
 * row lock: it locks the tallies of other questions than the answers, so that in one transaction two learners could wait for each other.
 */
export const finishAnsweredSeries = (tx: EntityManager, userId: string, now: Date, items: readonly number[]) =>
  finishAllSeries(tx, userId, now, items);
