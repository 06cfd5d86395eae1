import { dayNumber } from '../dates.ts';
import type { ItemKind } from '../item-kinds.ts';
import type { Memory } from './memory.ts';

/** A question that the learner has answered. */
export interface SeenQuestion {
  id: string;
  discipline: number;
  /** Expected time of an answer with its feedback, in seconds. */
  seconds: number;
  memory: Memory;
}

/** A question that the learner has not answered yet. */
export interface UnseenQuestion {
  id: string;
  discipline: number;
  /** Order among the questions of its discipline. */
  position: number;
  seconds: number;
}

export interface Questions {
  seen: readonly SeenQuestion[];
  unseen: readonly UnseenQuestion[];
}

/** An exercise or a past exam that the learner has marked; its memory is the fold over these verdicts. */
export interface MarkedExercise {
  item: number;
  kind: ItemKind;
  discipline: number;
  /** Expected time, in seconds. */
  seconds: number;
  memory: Memory;
}

/** Returns the days of Africa/Douala since a question was last answered; 0 is today. @param now in ms since 1970 */
export const daysSince = ({ memory }: Pick<SeenQuestion, 'memory'>, now: number): number =>
  Math.max(dayNumber(now) - dayNumber(memory.lastAt), 0);

/** Returns the share of first answers that are right: a quarter until the learner's own are known. */
export const firstRightShare = (seen: readonly SeenQuestion[]): number =>
  (seen.filter(({ memory }) => memory.firstRight).length + 0.5) / (seen.length + 2);
