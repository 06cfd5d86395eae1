import { randomUUID } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { AppError, notFound } from '../../../platform/errors.ts';
import { dayIn } from '../../../shared/dates.ts';
import type { AnswerFields } from '../../../shared/questions/answer-form.ts';
import { isRight } from '../../../shared/questions/grade.ts';
import { questionsOf } from '../../../shared/questions/question-html.ts';
import { readGiven } from '../../../shared/questions/read-given.ts';
import type { PlannedQuestion } from '../../../shared/recall/plan.ts';
import type { SessionQuestion, SessionSummary } from '../../../shared/revision/session-page.ts';
import { planPart, summaryOf } from '../../../shared/revision/session-plan.ts';
import { answerUnder, keyFrom, maxAnswerSeconds, questionGone, recordAnswers } from '../../questions/index.ts';
import type { Plan } from '../plan/plan.repository.ts';
import { readStudied } from './questions.repository.ts';
import { beginSession, findSession, finishIfDone, type SessionRow } from './session.repository.ts';

interface Learner {
  userId: string;
  now: Date;
}

const sessionGone = "Cette séance n'existe pas ou n'existe plus.";

/** Returns the questions of a session that would begin now. @param part 1 for the day's session, more for 'Encore 5 minutes' */
export async function planToday(em: EntityManager, { userId, now }: Learner, plan: Plan, part: number): Promise<PlannedQuestion[]> {
  return planPart(await readStudied(em, userId, now, plan.prepaId), plan, now, part);
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
        cle: keyFrom([session.id, questionId]),
        questionId,
        keyVersion,
        itemVersion,
        context: 'session',
        given,
        isRight: right,
        points: right ? Number(points) : 0,
        at: now,
        seconds: fields.secondes ? Math.min(fields.secondes, maxAnswerSeconds) : null,
      },
    ]);
    question.answer = kept ?? (await answerUnder(em, userId, keyFrom([session.id, questionId]), questionId));
    await finishIfDone(em, userId, session.id, now);
  }
  return { session, question };
}

/** Returns what a session changed, and what comes tomorrow. */
export const summarise = async (em: EntityManager, { userId, now }: Learner, session: SessionRow, plan: Plan): Promise<SessionSummary> =>
  summaryOf(await readStudied(em, userId, now, session.prepaId), session, plan, now);
