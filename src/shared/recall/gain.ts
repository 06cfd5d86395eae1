import type { Weighed } from './evidence.ts';
import type { Memory } from './memory.ts';
import { type Remaining, worthOfNew } from './price.ts';
import { gaps, levelAfterLapse, levelOf, spotOf, type Worth, worthOf } from './worth.ts';

/** What asking a seen question today adds to recall on the day, by its memory and the days since its last answer. */
export interface Gains {
  /** The gain compared with the best later day, or never. */
  gain(memory: Memory, elapsed: number): number;
  /** The most that the gain can be: compared with one later day, or never. Cheaper. */
  most(memory: Memory, elapsed: number): number;
}

/** Returns the gains under these models at a price, with so many days left. */
export function gainsOfSeen(models: readonly Weighed[], price: number, days: number): Gains {
  const parts = models.map(({ model, weight }) => ({ model, weight, worth: worthOf(model, price, days) }));
  const under = (one: (part: Part, memory: Memory, elapsed: number) => number) => (memory: Memory, elapsed: number) => {
    let sum = 0;
    for (const part of parts) sum += part.weight * one(part, memory, elapsed);
    return sum;
  };
  /** The one later day that the bound considers, usually the best one; 0 on the eve. */
  const gapTried = gaps.findLast((gap) => gap < days) ?? 0;
  const never = ({ model }: Part, memory: Memory, elapsed: number): number => model.recall(elapsed + days, model.strengthOf(memory));
  return {
    most: under((part, memory, elapsed) => {
      const later = gapTried > 0 ? asked(part, memory, elapsed + gapTried, days - gapTried) - price : 0;
      return asked(part, memory, elapsed, days) - Math.max(never(part, memory, elapsed), later);
    }),
    gain: under((part, memory, elapsed) => {
      const later = (gap: number): number => asked(part, memory, elapsed + gap, days - gap) - price;
      return asked(part, memory, elapsed, days) - bestLater(days, never(part, memory, elapsed), later);
    }),
  };
}

interface Part extends Weighed {
  worth: Worth;
}

/** Returns the value of asking a question so many days after its last answer and before the concours. */
function asked({ model, worth }: Part, memory: Memory, since: number, days: number): number {
  const { difficulty } = memory;
  const [strength, level] = [model.strengthOf(memory), levelOf(memory)];
  const recall = model.recall(since, strength);
  const right = worth.value(days, level, spotOf(model.next(strength, difficulty, since, true)));
  const wrong = worth.value(days, levelAfterLapse(level), spotOf(model.next(strength, difficulty, since, false)));
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

/** Returns what asking a new question today adds, compared with the best later day or never. */
export function gainOfNew(models: readonly Weighed[], price: number, { days, firstRight, introduction, repetition }: Remaining): number {
  const cost = (price * introduction) / repetition;
  return models.reduce((sum, { model, weight }) => {
    const worth = worthOf(model, price, days);
    const asked = (later: number): number => worthOfNew(worth, model, days - later, firstRight).value;
    return sum + weight * (asked(0) - bestLater(days, 0, (gap) => asked(gap) - cost));
  }, 0);
}
