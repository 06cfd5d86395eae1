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

/** What asking a seen question today adds to recall on the day, by its memory and the days since its last answer. */
export interface Gains {
  /** The gain compared with the best later day, or never. */
  gain(memory: Memory, elapsed: number): number;
  /** The most that the gain can be. Cheaper. */
  most(memory: Memory, elapsed: number): number;
}

/** Returns the gains under these models together. */
export function gainsOfSeen(models: readonly Priced[]): Gains {
  const over = (gainOf: typeof gainUnder) => (memory: Memory, elapsed: number) => {
    const [level, difficulty] = [levelOf(memory), memory.difficulty];
    let sum = 0;
    for (const part of models) sum += part.weight * gainOf(part, { strength: part.model.strengthOf(memory), level, difficulty }, elapsed);
    return sum;
  };
  return { most: over(mostUnder), gain: over(gainUnder) };
}

/** Returns the most that the gain can be under one model: compared with the last of the later days, usually the best, or never. */
export function mostUnder(part: Priced, held: Held, elapsed: number): number {
  const { model, days, price } = part;
  const gap = gaps.findLast((one) => one < days);
  const never = model.recall(elapsed + days, held.strength);
  const later = gap === undefined ? never : asked(part, held, elapsed + gap, days - gap) - price;
  return asked(part, held, elapsed, days) - Math.max(never, later);
}

function gainUnder(part: Priced, held: Held, elapsed: number): number {
  const { model, days, price } = part;
  const never = model.recall(elapsed + days, held.strength);
  return asked(part, held, elapsed, days) - bestLater(days, never, (gap) => asked(part, held, elapsed + gap, days - gap) - price);
}

/** Returns the value of asking a question so many days after its last answer and before the concours. */
function asked({ model, worth }: Priced, { strength, level, difficulty }: Held, since: number, days: number): number {
  const recall = model.recall(since, strength);
  const right = worth.value(days, level, spotOf(model.next(strength, difficulty, recall, true)));
  const wrong = worth.value(days, levelAfterLapse(level), spotOf(model.next(strength, difficulty, recall, false)));
  return recall * right + (1 - recall) * wrong;
}

/** Returns the largest value of asking after one of the gaps, or of never asking. */
function bestLater(days: number, never: number, asked: (gap: number) => number): number {
  let best = never;
  for (const gap of gaps) {
    if (gap >= days) break;
    best = Math.max(best, asked(gap));
  }
  return best;
}

/** Returns what asking a new question today adds under these models, compared with the best later day or never. */
export function gainOfNew(models: readonly Priced[], { firstRight, introduction, repetition }: Remaining): number {
  return models.reduce((sum, { model, weight, worth, price, days }) => {
    const cost = (price * introduction) / repetition;
    const value = (later: number): number => worthOfNew(worth, model, days - later, firstRight).value;
    return sum + weight * (value(0) - bestLater(days, 0, (gap) => value(gap) - cost));
  }, 0);
}
