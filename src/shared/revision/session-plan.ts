import { dayMs } from '../dates.ts';
import { type PlannedQuestion, planSession } from '../recall/plan.ts';
import { daysUntil } from './countdown.ts';
import { memoriesOf, type Studied } from './learner-memory.ts';
import type { SessionSummary, ShownSession } from './session-page.ts';
import { solidQuestions } from './solid.ts';

/** Minutes of 'Encore 5 minutes'. */
const furtherMinutes = 5;

/** When a learner's concours is (`2026-12-21`; null without a date), and the minutes a day. */
export interface StudyTime {
  day: string | null;
  minutes: number;
}

/** Days until the concours, for the planner; null without a date, or after it. */
const daysLeftOf = ({ day }: StudyTime, now: Date): number | null => {
  const left = day === null ? null : daysUntil(day, now);
  return left === null || left < 0 ? null : Math.max(left, 1);
};

/** Returns the questions of a session that would begin now. @param part 1 for the day's session, more for 'Encore 5 minutes' */
export const planPart = (studied: Studied, time: StudyTime, now: Date, part: number): PlannedQuestion[] =>
  planSession(memoriesOf(studied), {
    now: now.getTime(),
    minutes: part === 1 ? time.minutes : furtherMinutes,
    minutesADay: time.minutes,
    daysLeft: daysLeftOf(time, now),
  });

/** Returns whether nothing of a session is left: each question answered, the exercise marked or passed over. */
export const isDone = ({ questions, exercise }: Pick<ShownSession, 'questions' | 'exercise'>): boolean =>
  questions.every(({ answer }) => answer) && (!exercise || exercise.passed || exercise.verdict !== null);

/** Returns whether anything of a session is done: a question answered, the exercise marked or passed over. Only then can it be ended. */
export const isBegun = ({ questions, exercise }: Pick<ShownSession, 'questions' | 'exercise'>): boolean =>
  questions.some(({ answer }) => answer) || (exercise !== null && (exercise.passed || exercise.verdict !== null));

/** Returns what a session changed. It is computed from the answers before and since its start. */
export function summaryOf(studied: Studied, session: ShownSession, time: StudyTime, now: Date): SessionSummary {
  const [before, after] = [memoriesOf(studied, session.startedAt.getTime()), memoriesOf(studied)];
  const daysLeft = daysLeftOf(time, now);
  const gained = solidQuestions(after, now.getTime(), daysLeft).size - solidQuestions(before, now.getTime(), daysLeft).size;
  const answers = session.questions.flatMap(({ answer }) => answer ?? []);
  const isLastDay = time.day !== null && daysUntil(time.day, now) === 0;
  const next = isLastDay
    ? []
    : planSession(after, {
        now: now.getTime() + dayMs,
        minutes: time.minutes,
        daysLeft: daysLeft === null ? null : Math.max(daysLeft - 1, 1),
      });
  return {
    answered: answers.length,
    right: answers.filter(({ isRight }) => isRight).length,
    gained,
    tomorrow: next.length > 0 ? next : null,
  };
}
