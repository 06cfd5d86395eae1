import type { Weighed } from './evidence.ts';
import type { Memory } from './memory.ts';
import { type Remaining, worthOfNew } from './price.ts';
import { gaps, levelAfterLapse, levelOf, spotOf, type Worth, worthOf } from './worth.ts';

/** A model with its tables at the price. */
export interface Priced extends Weighed {
  worth: Worth;
  price: number;
  /** Days until the concours. */
  days: number;
}

/** A question's memory under one model. */
export interface Held {
  strength: number;
  level: number;
  difficulty: number;
}

export const priced = (models: readonly Weighed[], price: number, days: number): Priced[] =>
  models.map(({ model, weight }) => ({ model, weight, price, days, worth: worthOf(model, price, days) }));

/**
 * Returns what asking a seen question today adds to recall on the day under these models, compared with a better later day or never.
 * @param elapsed days since its last answer
 */
export function gainOfSeen(models: readonly Priced[], memory: Memory, elapsed: number): number {
  const [level, difficulty] = [levelOf(memory), memory.difficulty];
  let sum = 0;
  for (const part of models) sum += part.weight * gainUnder(part, { strength: part.model.strengthOf(memory), level, difficulty }, elapsed);
  return sum;
}

/** Later days that are compared: the last two of the gaps. The others are seldom the best, and would take twice the time. */
const compared = 2;

/** Returns the gain under one model. */
export function gainUnder(part: Priced, held: Held, elapsed: number): number {
  const { model, days, price } = part;
  let otherwise = model.recall(elapsed + days, held.strength);
  let left = compared;
  for (let row = gaps.length - 1; row >= 0 && left > 0; row -= 1) {
    const gap = gaps[row] as number;
    if (gap >= days) continue;
    left -= 1;
    otherwise = Math.max(otherwise, asked(part, held, elapsed + gap, days - gap) - price);
  }
  return asked(part, held, elapsed, days) - otherwise;
}

/** Returns the value of asking a question so many days after its last answer and before the concours. */
function asked({ model, worth }: Priced, { strength, level, difficulty }: Held, since: number, days: number): number {
  const recall = model.recall(since, strength);
  const right = worth.value(days, level, spotOf(model.next(strength, difficulty, recall, true)));
  const wrong = worth.value(days, levelAfterLapse(level), spotOf(model.next(strength, difficulty, recall, false)));
  return recall * right + (1 - recall) * wrong;
}

/** Returns what asking a new question today adds under these models, compared with the best later day or never. */
export function gainOfNew(models: readonly Priced[], { firstRight, introduction, repetition }: Remaining): number {
  return models.reduce((sum, { model, weight, worth, price, days }) => {
    const cost = (price * introduction) / repetition;
    const value = (later: number): number => worthOfNew(worth, model, days - later, firstRight).value;
    const later = gaps.filter((gap) => gap < days).map((gap) => value(gap) - cost);
    return sum + weight * (value(0) - Math.max(0, ...later));
  }, 0);
}
