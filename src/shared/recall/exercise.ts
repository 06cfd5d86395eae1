import { byId } from './mixing.ts';
import type { MarkedExercise } from './questions.ts';

/** Sessions shorter than this have no exercise, in minutes. */
const fewestMinutes = 15;
/** Share of a session that an exercise may take, so that questions are asked too. */
const largestShare = 2 / 3;

/** What a question or an exercise of a session brings. */
export interface Valued {
  seconds: number;
  /** Gain in expected recall per second. */
  rate: number;
}

/**
 * Returns the exercise that gains more than the questions whose time it takes; null without one. An exercise counts as as many questions as
 * its time has room for, so that `rate` compares it with questions.
 * @param minutes of the session @param questions the session without an exercise
 */
export function exerciseInstead(
  exercises: readonly (Valued & { exercise: MarkedExercise })[],
  questions: readonly Valued[],
  minutes: number,
): MarkedExercise | null {
  if (minutes < fewestMinutes) return null;
  const byRate = questions.toSorted((one, other) => one.rate - other.rate);
  const free = minutes * 60 - questions.reduce((sum, { seconds }) => sum + seconds, 0);
  let best: MarkedExercise | null = null;
  let most = 0;
  for (const { exercise, seconds, rate } of exercises.toSorted((one, other) => byId(idOf(one), idOf(other)))) {
    if (seconds > largestShare * minutes * 60) continue;
    const gain = rate * seconds - lostBy(byRate, seconds - free);
    if (gain > most) [best, most] = [exercise, gain];
  }
  return best;
}

const idOf = ({ exercise }: { exercise: MarkedExercise }) => ({ id: exerciseId(exercise.item) });

/** Id of an exercise in a session; no question has such an id. */
export const exerciseId = (item: number): string => `item-${item}`;

/** Returns what is lost without the questions that gain least, if so many seconds are needed. */
function lostBy(byRate: readonly Valued[], needed: number): number {
  let [missing, lost] = [needed, 0];
  for (const { seconds, rate } of byRate) {
    if (missing <= 0) break;
    missing -= seconds;
    lost += seconds * Math.max(rate, 0);
  }
  return lost;
}
