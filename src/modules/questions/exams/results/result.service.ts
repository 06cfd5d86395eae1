import type { EntityManager } from '@mikro-orm/postgresql';
import { lockNames } from '../../../../platform/database/advisory-lock.ts';
import { AppError } from '../../../../platform/errors.ts';
import type { UseCaseContext } from '../../../../platform/use-cases/events.ts';
import { transact } from '../../../../platform/use-cases/transaction.ts';
import { type Given, isRight } from '../../../../shared/questions/grade.ts';
import { accessCondition } from '../../../enrolment/index.ts';
import { recordAnswers } from '../../answers/answer.repository.ts';
import { keyFrom } from '../../answers/answer.service.ts';
import type { MarkedExam } from './marked-exams.ts';
import { pseudonymFault, tidyName } from './pseudonym.ts';
import type { OwnResultRow } from './result.repository.ts';

const refused = (message: string) => new AppError('EXAM.PSEUDONYM', 400, `${message}.`);

/**
 * Stores the name of a candidate in the public list, or withdraws it. Names are unique in an exam, whatever their case.
 * @param typed null: withdraws the name
 * @throws AppError 400 for a name that cannot be listed or is taken
 */
export async function keepPseudonym(em: EntityManager, context: UseCaseContext, userId: string, examId: number, typed: string | null) {
  const name = typed === null ? null : tidyName(typed);
  const fault = name === null ? null : pseudonymFault(name);
  if (fault !== null) throw refused(fault);
  await transact(em, context, async (tx) => {
    await lockNames(tx, [`exam-pseudonym-${examId}`]);
    const taken = await tx.execute('select from exam_sitting where exam_id = ? and user_id <> ? and lower(pseudonym) = lower(?) limit 1', [
      examId,
      userId,
      name,
    ]);
    if (taken.length > 0) throw refused('Un autre candidat a déjà ce pseudonyme : choisissez-en un autre');
    await tx.execute('update exam_sitting set pseudonym = ? where exam_id = ? and user_id = ?', [name, examId, userId]);
  });
}

/** Stores the points that a candidate gave themselves for a past subject. A later mark replaces it. */
export const keepSelfMark = (em: EntityManager, userId: string, paperId: number, points: number, now: Date) =>
  em.execute(
    `insert into exam_self_mark (paper_id, user_id, points, marked_at) values (?, ?, ?, ?)
     on conflict (paper_id, user_id) do update set points = excluded.points, marked_at = excluded.marked_at`,
    [paperId, userId, points, now.toISOString()],
  );

/** A wrong answer to a published question. */
interface Mistake {
  questionId: string;
  given: Given;
  keyVersion: number;
  itemVersion: number;
}

/**
 * Returns a candidate's wrong answers that can be revised, in at most one statement: those to published questions that the learner may read
 * now, and whose published key still marks like the exam's.
 * @returns also the number of all wrong answers
 */
export async function findMistakes(
  em: EntityManager,
  userId: string,
  { answers }: Pick<OwnResultRow, 'answers'>,
  exam: MarkedExam,
  now: Date,
): Promise<{ wrong: number; mistakes: Mistake[] }> {
  const wrong = exam.papers.flatMap(({ questions }) =>
    questions.flatMap(({ id: questionId, key, standing }) => {
      const given = answers?.[questionId];
      if (!given || standing !== 'counted' || isRight(key, given)) return [];
      const { kind, right, value, tolerance, unit, accepted } = key;
      return [{ questionId, given, judged: { kind, right: [...right].sort(), value, tolerance, unit, accepted } }];
    }),
  );
  if (wrong.length === 0) return { wrong: 0, mistakes: [] };
  const published = await em.execute<{ id: string; keyVersion: number; itemVersion: number }[]>(
    `select q.id, q.key_version as "keyVersion", i.version as "itemVersion"
     from jsonb_to_recordset(?::jsonb) as w("questionId" text, judged jsonb) join question q on q.id = w."questionId" and q.judged = w.judged
          join item i on i.id = q.item_id join discipline d on d.id = i.discipline_id
     where q.usable and q.position is not null and ${accessCondition('?', 'd.prepa_id', '?')}`,
    [JSON.stringify(wrong), userId, now.toISOString()],
  );
  const rows = new Map(published.map((row) => [row.id, row]));
  const mistakes = wrong.flatMap(({ questionId, given }) => {
    const row = rows.get(questionId);
    return row ? [{ questionId, given, keyVersion: row.keyVersion, itemVersion: row.itemVersion }] : [];
  });
  return { wrong: wrong.length, mistakes };
}

/**
 * Records a candidate's wrong answers (`findMistakes`) as answers to the published questions, so that 'Mes erreurs' and the daily sessions
 * have them. Repeated, it adds nothing.
 * @returns numbers of wrong answers, and of those recorded now or before
 */
export async function addMistakes(
  em: EntityManager,
  userId: string,
  own: Pick<OwnResultRow, 'id' | 'answers'>,
  exam: MarkedExam,
  now: Date,
): Promise<{ wrong: number; added: number }> {
  const { wrong, mistakes } = await findMistakes(em, userId, own, exam, now);
  const sent = mistakes.map((mistake) => ({
    ...mistake,
    cle: keyFrom([userId, 'exam', own.id, mistake.questionId]),
    context: 'series' as const,
    isRight: false,
    points: 0,
    at: now,
  }));
  if (sent.length > 0) await recordAnswers(em, userId, sent);
  return { wrong, added: sent.length };
}
