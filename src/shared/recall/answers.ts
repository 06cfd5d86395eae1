import type { Verdict } from '../study/verdicts.ts';

/** A stored answer to one question, or a learner's verdict on an exercise or a past exam. */
export interface RecallAnswer {
  /** Idempotency key: an answer that arrives twice counts once. */
  key: string;
  /** When the learner answered, in ms since 1970. */
  at: number;
  /** False for a wrong answer and for 'Je ne sais pas'. */
  right: boolean;
  /** Time taken, in seconds; null if it was not measured. */
  seconds: number | null;
}

/** FSRS's grades that are used: 1 is Again, 2 is Hard, 3 is Good. */
export type Grade = 1 | 2 | 3;

/** A right answer that took longer than this many times the learner's median is Hard. */
const slow = 3;
/** Fewer measured answers than this give no median. */
const fewest = 20;

/** Returns the grade of an answer. @param median the learner's median time in seconds; null if unknown */
export const gradeOf = ({ right, seconds }: Pick<RecallAnswer, 'right' | 'seconds'>, median: number | null): Grade =>
  right ? (seconds !== null && median !== null && seconds > slow * median ? 2 : 3) : 1;

/** Returns whether a verdict counts as a right answer. */
export const isRightVerdict = (verdict: Verdict): boolean => verdict === 'reussi';

/**
 * Returns the learner's median time of an answer in seconds; null for fewer than 20 measured answers. It is rounded to steps of a quarter
 * (4, 5, 6.25, …), so that it changes seldom: stored states were folded with one median and are folded again when it changes.
 */
export function medianSeconds(seconds: readonly number[]): number | null {
  if (seconds.length < fewest) return null;
  const sorted = seconds.toSorted((one, other) => one - other);
  const median = Math.max(sorted[sorted.length >> 1] as number, 1);
  return 1.25 ** Math.round(Math.log(median) / Math.log(1.25));
}
