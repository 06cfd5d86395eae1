import type { EntityManager } from '@mikro-orm/postgresql';
import { AppError, notFound } from '../../../platform/errors.ts';
import type { AnswerFields } from '../../../shared/questions/answer-form.ts';
import { type Given, isRight } from '../../../shared/questions/grade.ts';
import { questionsOf } from '../../../shared/questions/question-html.ts';
import { readGiven } from '../../../shared/questions/read-given.ts';
import { outcomeOf } from '../../../shared/questions/series.ts';
import { type JudgedAnswer, recordAnswers } from '../answers/answer.repository.ts';
import { keyFrom, questionGone } from '../answers/answer.service.ts';
import { type AttemptQuestion, type AttemptRow, closeAttempt, findAttempt, finishSeries, keepGiven } from './attempt.repository.ts';

interface Learner {
  userId: string;
  now: Date;
}

const attemptGone = "Cette série n'est plus ouverte : revenez à la série, puis recommencez.";

/** An attempt whose time is over is read again after it was finished. */
const isOver = ({ endsAt, finishedAt }: AttemptRow, now: Date): boolean => finishedAt === null && endsAt !== null && endsAt <= now;

/** Returns a learner's attempt, finished if its time is over. @throws AppError 404 */
export async function openAttempt(em: EntityManager, { userId, now }: Learner, id: string): Promise<AttemptRow> {
  const found = await findAttempt(em, userId, now, id, false);
  if (!found) throw notFound(attemptGone);
  return isOver(found, now) ? finishAttempt(em, { userId, now }, id) : found;
}

/** Finishes an attempt: judges the answers kept so far and stores them. A second call changes nothing. @throws AppError 404 */
export async function finishAttempt(em: EntityManager, { userId, now }: Learner, id: string): Promise<AttemptRow> {
  // Read again while answers arrive at the same time.
  for (;;) {
    const found = await findAttempt(em, userId, now, id, true);
    if (!found) throw notFound(attemptGone);
    if (found.finishedAt) return found;
    const at = found.endsAt !== null && found.endsAt < now ? found.endsAt : now;
    const answers = found.questions.flatMap((question) => {
      const given = found.given[question.id];
      return given && !question.answer ? [judge(found, question, given, at)] : [];
    });
    if (await closeAttempt(em, userId, found, at, answers)) await finishSeries(em, userId, at, found.itemId);
  }
}

/** Returns a judged answer of an attempt. Its key allows one answer to each question of an attempt. */
function judge(
  { id, itemVersion }: AttemptRow,
  { id: questionId, key, keyVersion, points }: AttemptQuestion,
  given: Given,
  at: Date,
): JudgedAnswer {
  const right = key !== null && isRight(key, given);
  return {
    cle: keyFrom([id, questionId]),
    questionId,
    keyVersion,
    itemVersion,
    context: 'series',
    given,
    isRight: right,
    points: right ? points : 0,
    at,
    attemptId: id,
  };
}

/**
 * Takes an answer to a question of an attempt: 'Apprendre' judges it at once, and the first answer stays; 'Comme à l'examen' keeps it until
 * the end.
 * @returns the attempt with the answer
 * @throws AppError 400 when nothing was answered, 403 without access, 404 without such a question, 409 after the end
 */
export async function answerInAttempt(em: EntityManager, { userId, now }: Learner, id: string, questionId: string, fields: AnswerFields) {
  const attempt = await findAttempt(em, userId, now, id, true);
  if (!attempt) throw notFound(attemptGone);
  if (!attempt.access) {
    throw new AppError(
      'SERIES.LOCKED',
      403,
      `Votre accès à ${attempt.prepaNom} a pris fin : votre réponse n'a pas été gardée. Renouvelez l'accès, puis répondez de nouveau.`,
    );
  }
  const question = attempt.questions.find((asked) => asked.id === questionId);
  const html = questionsOf(attempt.contenu).find((asked) => asked.id === questionId);
  if (!question || !html) throw notFound(questionGone);
  if (attempt.finishedAt || isOver(attempt, now)) throw ended();
  const given = readGiven(html, fields);
  if (typeof given === 'string') throw new AppError('QUESTION.ANSWER', 400, given);
  if (attempt.mode === 'exam') {
    if (!(await keepGiven(em, userId, now, id, questionId, given))) throw ended();
    attempt.given[questionId] = given;
    return { attempt, question };
  }
  if (!question.answer) {
    const [kept] = await recordAnswers(em, userId, [judge(attempt, question, given, now)]);
    question.answer = kept ?? null;
    if (attempt.questions.every(({ answer }) => answer)) await finishSeries(em, userId, now, attempt.itemId);
  }
  return { attempt, question };
}

const ended = () => new AppError('SERIES.ENDED', 409, 'Cette série est terminée : voyez votre résultat.');

/** Returns the ids of the questions of a finished attempt that were not answered right. */
export const mistakesOf = ({ questions }: Pick<AttemptRow, 'questions'>): string[] =>
  questions.filter(({ answer }) => outcomeOf(answer) !== 'right').map(({ id }) => id);
