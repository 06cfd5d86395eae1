import { randomUUID } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { AppError, notFound } from '../../../platform/errors.ts';
import { dayIn, dayMs } from '../../../shared/dates.ts';
import type { AnswerFields } from '../../../shared/questions/answer-form.ts';
import { isRight } from '../../../shared/questions/grade.ts';
import { questionsOf } from '../../../shared/questions/question-html.ts';
import { readGiven } from '../../../shared/questions/read-given.ts';
import { type PlannedQuestion, planSession } from '../../../shared/recall/plan.ts';
import { daysUntil } from '../../../shared/revision/countdown.ts';
import { solidQuestions } from '../../../shared/revision/solid.ts';
import { answerUnder, keyFrom, questionGone, recordAnswers } from '../../questions/index.ts';
import type { Plan } from '../plan/plan.repository.ts';
import { exercisesOfLearner, questionsOfLearner } from './learner-memory.ts';
import { readStudied, type Studied } from './questions.repository.ts';
import { beginSession, findSession, finishSession, type SessionQuestion, type SessionRow } from './session.repository.ts';

interface Learner {
  userId: string;
  now: Date;
}

/** Minutes of 'Encore 5 minutes'. */
const furtherMinutes = 5;
/** Longest time of an answer that is stored, in seconds: a page left open tells nothing. */
const maxSeconds = 600;

const sessionGone = "Cette séance n'existe pas ou n'existe plus.";

/** Days until the concours, for the planner; null without a date, or after it. */
const daysLeftOf = ({ day }: Pick<Plan, 'day'>, now: Date): number | null => {
  const left = day === null ? null : daysUntil(day, now);
  return left === null || left < 0 ? null : Math.max(left, 1);
};

/** Returns what a learner remembers of a prepa. @param until as in `questionsOfLearner` */
const memoriesOf = ({ questions, exercises }: Studied, until?: number) => ({
  ...questionsOfLearner(questions, until),
  exercises: exercisesOfLearner(exercises, until),
});

/** Returns the questions of a session that would begin now. @param part 1 for the day's session, more for 'Encore 5 minutes' */
export async function planToday(em: EntityManager, { userId, now }: Learner, plan: Plan, part: number): Promise<PlannedQuestion[]> {
  return planSession(memoriesOf(await readStudied(em, userId, now, plan.prepaId)), {
    now: now.getTime(),
    minutes: part === 1 ? plan.minutes : furtherMinutes,
    minutesADay: plan.minutes,
    daysLeft: daysLeftOf(plan, now),
  });
}

/** Begins a session, or returns the one that has begun. @returns its id; null when there is nothing to ask, or no access */
export async function startSession(em: EntityManager, learner: Learner, plan: Plan, part: number): Promise<string | null> {
  const asked = await planToday(em, learner, plan, part);
  if (asked.length === 0) return null;
  return beginSession(em, { ...learner, prepaId: plan.prepaId, id: randomUUID(), day: dayIn(learner.now), part, asked });
}

/** @throws AppError 404 */
export async function sessionOf(em: EntityManager, { userId, now }: Learner, id: string): Promise<SessionRow> {
  const found = await findSession(em, userId, now, id);
  if (!found) throw notFound(sessionGone);
  return found;
}

/**
 * Judges an answer to a question of a session, and stores it once: in a second tab the first answer stays.
 * @throws AppError 400 when nothing was answered, 403 without access, 404 without such a question
 */
export async function answerInSession(
  em: EntityManager,
  { userId, now }: Learner,
  id: string,
  questionId: string,
  fields: AnswerFields & { secondes?: number | null | undefined },
): Promise<{ session: SessionRow; question: SessionQuestion }> {
  const session = await findSession(em, userId, now, id, true);
  if (!session) throw notFound(sessionGone);
  if (!session.access) {
    throw new AppError(
      'SESSION.LOCKED',
      403,
      `Votre accès à ${session.prepaNom} a pris fin : votre réponse n'a pas été gardée. Renouvelez l'accès, puis répondez de nouveau.`,
    );
  }
  const question = session.questions.find((asked) => asked.id === questionId);
  const [html] = question ? questionsOf(question.section) : [];
  if (!question?.key || !html) throw notFound(questionGone);
  if (!question.answer) {
    if (session.finishedAt) throw new AppError('SESSION.ENDED', 409, 'Cette séance est terminée : voyez son bilan.');
    const given = readGiven(html, fields);
    if (typeof given === 'string') throw new AppError('QUESTION.ANSWER', 400, given);
    const right = isRight(question.key, given);
    const { keyVersion, itemVersion, points } = question;
    const [kept] = await recordAnswers(em, userId, [
      {
        cle: keyFrom([id, questionId]),
        questionId,
        keyVersion,
        itemVersion,
        context: 'session',
        given,
        isRight: right,
        points: right ? Number(points) : 0,
        at: now,
        seconds: fields.secondes ? Math.min(fields.secondes, maxSeconds) : null,
      },
    ]);
    question.answer = kept ?? (await answerUnder(em, userId, keyFrom([id, questionId]), questionId));
    if (isDone(session)) await finishSession(em, userId, id, now);
  }
  return { session, question };
}

/** Returns whether nothing of a session is left: each question answered, the exercise marked or passed over. */
export const isDone = ({ questions, exercise }: Pick<SessionRow, 'questions' | 'exercise'>): boolean =>
  questions.every(({ answer }) => answer) && (!exercise || exercise.passed || exercise.verdict !== null);

/** What a finished session changed, and what comes next. */
export interface SessionSummary {
  answered: number;
  right: number;
  /** Questions that have become solid for the day, less those that are no longer. */
  gained: number;
  /** Tomorrow's session; null when there is nothing to ask. */
  tomorrow: PlannedQuestion[] | null;
}

/** Returns what a session changed. It is computed from the answers before and since its start. */
export async function summarise(em: EntityManager, { userId, now }: Learner, session: SessionRow, plan: Plan): Promise<SessionSummary> {
  const rows = await readStudied(em, userId, now, session.prepaId);
  const [before, after] = [memoriesOf(rows, session.startedAt.getTime()), memoriesOf(rows)];
  const daysLeft = daysLeftOf(plan, now);
  const gained = solidQuestions(after, now.getTime(), daysLeft).size - solidQuestions(before, now.getTime(), daysLeft).size;
  const answers = session.questions.flatMap(({ answer }) => answer ?? []);
  const isLastDay = plan.day !== null && daysUntil(plan.day, now) === 0;
  const next = isLastDay
    ? []
    : planSession(after, {
        now: now.getTime() + dayMs,
        minutes: plan.minutes,
        daysLeft: daysLeft === null ? null : Math.max(daysLeft - 1, 1),
      });
  return {
    answered: answers.length,
    right: answers.filter(({ isRight }) => isRight).length,
    gained,
    tomorrow: next.length > 0 ? next : null,
  };
}
