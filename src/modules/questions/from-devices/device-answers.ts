import type { EntityManager } from '@mikro-orm/postgresql';
import { readRows } from '../../../platform/database/rows.ts';
import type { ItemKind } from '../../../shared/item-kinds.ts';
import type { AnswerFields } from '../../../shared/questions/answer-form.ts';
import { isRight } from '../../../shared/questions/grade.ts';
import { readGiven } from '../../../shared/questions/read-given.ts';
import { timeWithinAccess } from '../../enrolment/index.ts';
import { type AskedRow, findKeys, type JudgedAnswer, sectionSql, storeAnswers } from '../answers/answer.repository.ts';
import { maxAnswerSeconds, questionOf } from '../answers/answer.service.ts';
import { finishAllSeries } from '../series/attempt.repository.ts';

/** An answer that a learner gave in a kept copy. */
export interface DeviceAnswer extends AnswerFields {
  /** Idempotency key: the same as that of the call that judges answers. */
  cle: string;
  question: string;
  /** Time of the answer by the device's clock, in ms. */
  le: number;
  /** In a session of the day: the key of the first answer to the question there. */
  inSession?: string | null;
  /** Time of the answer in seconds, in a session. */
  secondes?: number | null | undefined;
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
  if (judged.length > 0) await store(tx, userId, judged);
  return [...new Set(rows.filter(({ kind }) => kind === 'quiz').map(({ itemId }) => itemId))];
}

/** Stores answers; in a session the first one to a question under its key there, and each other one under its own. */
async function store(tx: EntityManager, userId: string, judged: readonly DeviceJudged[]): Promise<void> {
  const keys = judged.flatMap(({ inSession }) => inSession ?? []);
  const taken = new Set(keys.length > 0 ? (await findKeys(tx, userId, keys)).map(({ cle }) => cle) : []);
  const placed = judged
    .toSorted((one, other) => one.at.getTime() - other.at.getTime())
    .map(({ inSession, ...answer }) => {
      if (!inSession || taken.has(inSession)) return { own: answer, answer };
      taken.add(inSession);
      return { own: answer, answer: { ...answer, cle: inSession } };
    });
  const stored = await storeAnswers(
    tx,
    userId,
    placed.map(({ answer }) => answer),
  );
  // A page of the site has answered the question at the same time.
  const overtaken = placed.filter(({ own, answer }) => own !== answer && !stored.some(({ cle }) => cle === answer.cle));
  if (overtaken.length > 0)
    await storeAnswers(
      tx,
      userId,
      overtaken.map(({ own }) => own),
    );
}

type DeviceJudged = JudgedAnswer & Pick<DeviceAnswer, 'inSession'>;

function judge(row: AnsweredRow, { inSession = null, secondes, ...fields }: Partial<DeviceAnswer>): DeviceJudged[] {
  const { cle, id: questionId, key, keyVersion, itemVersion, kind, at } = row;
  const given = readGiven(questionOf(row), fields, { numbersOnly: false });
  if (typeof given === 'string') return [];
  const right = isRight(key, given);
  const context = secondes === undefined ? (kind === 'quiz' ? 'series' : 'text') : 'session';
  const seconds = secondes ? Math.min(secondes, maxAnswerSeconds) : null;
  const points = right ? key.points : 0;
  return [{ cle, questionId, keyVersion, itemVersion, context, given, isRight: right, points, at: new Date(at), seconds, inSession }];
}

/**
 * Marks the series among the items as finished when each of their questions was answered. Runs in a transaction of its own with the learner's
 * row lock: it locks the tallies of other questions than the answers, so that in one transaction two learners could wait for each other.
 */
export const finishAnsweredSeries = (tx: EntityManager, userId: string, now: Date, items: readonly number[]) =>
  finishAllSeries(tx, userId, now, items);
