import type { Weighed } from './evidence.ts';
import type { Memory } from './memory.ts';
import type { MemoryModel } from './models.ts';
import { type Remaining, worthOfNew } from './price.ts';
import { gaps, levelAfterLapse, levelOf, spotOf, worthOf } from './worth.ts';

/** Returns what asking a question today adds to recall on the day, compared with the best later day or never, under one model. */
function gainUnder(model: MemoryModel, memory: Memory, elapsed: number, price: number, days: number): number {
  const worth = worthOf(model, price);
  const strength = model.strengthOf(memory);
  const level = levelOf(memory);
  const asked = (later: number): number => {
    const since = elapsed + later;
    const recall = model.recall(since, strength);
    const right = worth.value(days - later, level, spotOf(model.next(strength, memory.difficulty, since, true)));
    const wrong = worth.value(days - later, levelAfterLapse(level), spotOf(model.next(strength, memory.difficulty, since, false)));
    return recall * right + (1 - recall) * wrong;
  };
  let otherwise = model.recall(elapsed + days, strength);
  for (const gap of gaps) {
    if (gap >= days) break;
    otherwise = Math.max(otherwise, asked(gap) - price);
  }
  return asked(0) - otherwise;
}

/** Returns a function that gives the gain of asking a seen question today; questions with nearly the same memory are computed once. */
export function gainOfSeen(models: readonly Weighed[], price: number, { days }: Remaining): (memory: Memory, elapsed: number) => number {
  const known = new Map<string, number>();
  return (memory, elapsed) => {
    const { stability, difficulty, right, wrong } = memory;
    const key = `${elapsed} ${Math.round(Math.log(stability) * 20)} ${Math.round(difficulty * 2)} ${right} ${wrong}`;
    let gain = known.get(key);
    if (gain === undefined) {
      gain = models.reduce((sum, { model, weight }) => sum + weight * gainUnder(model, memory, elapsed, price, days), 0);
      known.set(key, gain);
    }
    return gain;
  };
}

/** Returns the gain of asking a new question today, compared with the best later day or never. */
export function gainOfNew(models: readonly Weighed[], price: number, { days, firstRight, introduction, repetition }: Remaining): number {
  const cost = (price * introduction) / repetition;
  return models.reduce((sum, { model, weight }) => {
    let otherwise = 0;
    for (const gap of gaps) {
      if (gap >= days) break;
      otherwise = Math.max(otherwise, worthOfNew(model, price, days - gap, firstRight).value - cost);
    }
    return sum + weight * (worthOfNew(model, price, days, firstRight).value - otherwise);
  }, 0);
}
