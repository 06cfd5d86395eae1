import type { Weighed } from './evidence.ts';
import { firstTraces } from './memory.ts';
import type { MemoryModel, Trace } from './models.ts';
import { firstRightShare, type Questions } from './questions.ts';
import { levelOf, prices, spotOf, type Worth, worthOf } from './worth.ts';

/** What remains to be learnt until the day, and with how much time. */
export interface Remaining {
  /** Days until the concours: 1 is the eve. */
  days: number;
  /** Time left until then, in seconds. */
  budget: number;
  seen: readonly Trace[];
  /** Number of questions without an answer. */
  unseen: number;
  /** Expected time of a repetition and of a new question, in seconds. */
  repetition: number;
  introduction: number;
  /** Share of first answers that are right. */
  firstRight: number;
}

const mean = (values: readonly { seconds: number }[]): number => values.reduce((sum, { seconds }) => sum + seconds, 0) / values.length;

/** Returns what remains of these questions. @param days until the concours @param minutes a day */
export function remainingOf({ seen, unseen }: Questions, days: number, minutes: number): Remaining {
  const all = [...seen, ...unseen];
  return {
    days,
    budget: days * minutes * 60,
    seen: seen.map(({ memory }) => memory),
    unseen: unseen.length,
    repetition: mean(seen.length > 0 ? seen : all),
    introduction: mean(unseen.length > 0 ? unseen : all),
    firstRight: firstRightShare(seen),
  };
}

/** Returns the value of a new question that is asked with so many days left, before its price, and its further repetitions. */
export function worthOfNew(worth: Worth, model: MemoryModel, days: number, firstRight: number): { value: number; repetitions: number } {
  let [value, repetitions] = [0, 0];
  firstTraces.forEach((trace, index) => {
    const share = index === 0 ? firstRight : 1 - firstRight;
    const [level, spot] = [levelOf(trace), spotOf(model.strengthOf(trace))];
    value += share * worth.value(days, level, spot);
    repetitions += share * worth.repetitions(days, level, spot);
  });
  return { value, repetitions };
}

/** Places of the seen questions in a model's tables. */
type Spots = readonly { level: number; spot: number }[];
const spotsOf = (model: MemoryModel, sample: readonly Trace[]): Spots =>
  sample.map((trace) => ({ level: levelOf(trace), spot: spotOf(model.strengthOf(trace)) }));

/** Of more seen questions than this only every second, third, … counts for the estimate of time. */
const sampled = 300;
const sampleOf = (seen: readonly Trace[]): readonly Trace[] => {
  const every = Math.max(Math.ceil(seen.length / sampled), 1);
  return every === 1 ? seen : seen.filter((_, index) => index % every === 0);
};

/** Days from now after which new questions may be asked, for the estimate of the time that they take. */
const starts = [0, 1, 2, 4, 8, 16, 32];

/** Returns the time that the best use of it would take at a price, in seconds, and the expected number of questions known on the day. */
function demandOf(model: MemoryModel, price: number, spots: Spots, remaining: Remaining): { seconds: number; known: number } {
  const { days, repetition, introduction, firstRight, unseen } = remaining;
  const worth = worthOf(model, price, days);
  let [seconds, known] = [0, 0];
  const times = spots.length > 0 ? remaining.seen.length / spots.length : 0;
  for (const { level, spot } of spots) {
    const count = times * worth.repetitions(days, level, spot);
    seconds += count * repetition;
    known += times * worth.value(days, level, spot) + price * count;
  }
  const cost = (price * introduction) / repetition;
  let best = { value: cost, repetitions: 0, asked: 0 };
  for (const start of [...starts, days - 1]) {
    const fresh = worthOfNew(worth, model, Math.max(days - start, 1), firstRight);
    if (fresh.value > best.value) best = { ...fresh, asked: 1 };
  }
  seconds += unseen * (best.asked * introduction + best.repetitions * repetition);
  known += unseen * best.asked * (best.value + price * best.repetitions);
  return { seconds, known };
}

/** Returns the lowest price at which the time until the day suffices, as a share of recall for one repetition. */
export function priceOf(models: readonly Weighed[], remaining: Remaining): number {
  const sample = sampleOf(remaining.seen);
  const placed = models.map(({ model, weight }) => ({ model, weight, spots: spotsOf(model, sample) }));
  const demand = (price: number): number =>
    placed.reduce((sum, { model, weight, spots }) => sum + weight * demandOf(model, price, spots, remaining).seconds, 0);
  let [low, high] = [0, prices.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (demand(prices[middle] as number) <= remaining.budget) high = middle;
    else low = middle + 1;
  }
  return prices[low] as number;
}

/** Returns the number of questions known on the day if the time is used best, under one model. */
export function knownWithTime(model: MemoryModel, remaining: Remaining): number {
  const price = priceOf([{ model, weight: 1 }], remaining);
  return demandOf(model, price, spotsOf(model, sampleOf(remaining.seen)), remaining).known;
}
