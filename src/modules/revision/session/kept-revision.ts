import type { EntityManager } from '@mikro-orm/postgresql';
import type { KeptRevision, KeptSession } from '../../../shared/offline/offline-copy.ts';
import { exerciseId } from '../../../shared/recall/exercise.ts';
import type { Studied } from '../../../shared/revision/learner-memory.ts';
import { packAnswers, packedAfter, packedUntil, tagOfAnswers } from '../../../shared/revision/packed-answers.ts';
import { listPlans } from '../plan/plan.repository.ts';
import { readStudied } from './questions.repository.ts';
import { findSession } from './session.repository.ts';

/** The answers that a device holds. */
export interface HeldAnswers {
  tag: string;
  /** Time of the latest one, in ms. */
  latest: number;
}

/**
 * Returns what a device needs for sessions without network: the date, the minutes, today's session and the learner's answers. Null without
 * access or questions. @param held null: the device holds no answers
 */
export async function readKeptRevision(
  em: EntityManager,
  userId: string,
  now: Date,
  prepaId: number,
  held: HeldAnswers | null,
): Promise<KeptRevision | null> {
  const plan = (await listPlans(em, userId, now)).find((one) => one.prepaId === prepaId);
  if (!plan?.access || !plan.hasQuestions) return null;
  const [studied, session] = await Promise.all([
    readStudied(em, userId, now, prepaId),
    plan.today ? findSession(em, userId, now, plan.today.id) : null,
  ]);
  const all = packAnswers(momentsOf(studied));
  const isHeld = held !== null && tagOfAnswers(packedUntil(all, held.latest)) === held.tag;
  return {
    day: plan.day,
    minutes: plan.minutes,
    week: plan.week,
    session: session && keptSession(session),
    reponses: isHeld ? packedAfter(all, held.latest) : all,
    suite: isHeld,
    tag: tagOfAnswers(all),
  };
}

const momentsOf = ({ questions, exercises }: Studied) => [
  ...questions.map(({ id, answers }) => [id, (answers ?? []).map(([, ...moment]) => moment)] as const),
  ...exercises.map(({ item, verdicts }) => [exerciseId(item), verdicts] as const),
];

const keptSession = (session: NonNullable<Awaited<ReturnType<typeof findSession>>>): KeptSession => {
  const { id, day, part, asked, startedAt, finishedAt, questions } = session;
  return {
    id,
    day,
    part,
    asked,
    startedAt: startedAt.getTime(),
    finishedAt: finishedAt?.getTime() ?? null,
    answers: Object.fromEntries(questions.flatMap((question) => (question.answer ? [[question.id, question.answer]] : []))),
  };
};
