import type { Weighed } from './evidence.ts';
import { firstTraces } from './memory.ts';
import type { MemoryModel, Trace } from './models.ts';
import { daysSince, firstRightShare, type Questions } from './questions.ts';
import { gaps, levelAfterLapse, levelOf, prices, spotOf, type Worth, worthOf } from './worth.ts';

/** What remains to be learnt until the day, and with how much time. */
export interface Remaining {
  /** Days until the concours: 1 is the eve. */
  days: number;
  /** Time left until then, in seconds. */
  budget: number;
  seen: readonly SeenTrace[];
  /** Number of questions without an answer. */
  unseen: number;
  /** Expected time of a repetition and of a new question, in seconds. */
  repetition: number;
  introduction: number;
  /** Share of first answers that are right. */
  firstRight: number;
}

/** A seen question's memory, and the days since its last answer. */
interface SeenTrace {
  trace: Trace;
  elapsed: number;
}

/** Returns the mean expected time, in seconds; NaN of none. */
export const meanSeconds = (values: readonly { seconds: number }[]): number =>
  values.reduce((sum, { seconds }) => sum + seconds, 0) / values.length;

/** Returns what remains of these questions. @param now in ms since 1970 @param days until the concours @param minutes a day */
export function remainingOf({ seen, unseen }: Questions, now: number, days: number, minutes: number): Remaining {
  const all = [...seen, ...unseen];
  return {
    days,
    budget: days * minutes * 60,
    seen: seen.map((question) => ({ trace: question.memory, elapsed: daysSince(question, now) })),
    unseen: unseen.length,
    repetition: meanSeconds(seen.length > 0 ? seen : all),
    introduction: meanSeconds(unseen.length > 0 ? unseen : all),
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

/** A seen question under one model: what may happen if it is asked next after each of `waits`, and recall on the day if it is not. */
interface Prospect {
  level: number;
  never: number;
  next: readonly { recall: number; right: number; wrong: number }[];
}

/** Days from now after which a seen question may be asked next. */
const waits = [0, ...gaps];

function prospectOf(model: MemoryModel, { trace, elapsed }: SeenTrace, days: number): Prospect {
  const strength = model.strengthOf(trace);
  const next = waits
    .filter((wait) => wait < days)
    .map((wait) => {
      const recall = model.recall(elapsed + wait, strength);
      const [right, wrong] = [true, false].map((one) => spotOf(model.next(strength, trace.difficulty, recall, one))) as [number, number];
      return { recall, right, wrong };
    });
  return { level: levelOf(trace), never: model.recall(elapsed + days, strength), next };
}

/** Of more seen questions than this only every second, third, … counts for the estimate of time. */
const sampled = 75;

/** Returns the prospects of the seen questions, of a sample if they are many. */
function prospectsOf(model: MemoryModel, { seen, days }: Remaining): Prospect[] {
  const every = Math.max(Math.ceil(seen.length / sampled), 1);
  return seen.filter((_, index) => index % every === 0).map((one) => prospectOf(model, one, days));
}

/** Returns the time that one seen question takes if it is repeated best at a price, in seconds. */
function timeOfSeen(worth: Worth, price: number, { level, never, next }: Prospect, { days, repetition }: Remaining): number {
  const lapsed = levelAfterLapse(level);
  let best = never;
  let count = 0;
  next.forEach(({ recall, right, wrong }, index) => {
    const left = days - (waits[index] as number);
    const value = recall * worth.value(left, level, right) + (1 - recall) * worth.value(left, lapsed, wrong) - price;
    if (value <= best) return;
    best = value;
    count = 1 + recall * worth.repetitions(left, level, right) + (1 - recall) * worth.repetitions(left, lapsed, wrong);
  });
  return count * repetition;
}

/** Returns the time that one unseen question takes, in seconds; 0 if it is not worth its price. */
function timeOfNew(worth: Worth, model: MemoryModel, price: number, { days, repetition, introduction, firstRight }: Remaining): number {
  let best = (price * introduction) / repetition;
  let seconds = 0;
  for (const wait of waits) {
    if (wait >= days) break;
    const { value, repetitions } = worthOfNew(worth, model, days - wait, firstRight);
    if (value <= best) continue;
    best = value;
    seconds = introduction + repetitions * repetition;
  }
  return seconds;
}

/** Returns the time that all questions take under one model at a price, in seconds. */
function timeOf(model: MemoryModel, price: number, prospects: readonly Prospect[], remaining: Remaining): number {
  const worth = worthOf(model, price, remaining.days);
  const seen = prospects.reduce((sum, prospect) => sum + timeOfSeen(worth, price, prospect, remaining), 0);
  const times = prospects.length > 0 ? remaining.seen.length / prospects.length : 0;
  return times * seen + remaining.unseen * timeOfNew(worth, model, price, remaining);
}

/** Returns the lowest price at which the time until the day suffices, as a share of recall for one repetition. */
export function priceOf(models: readonly Weighed[], remaining: Remaining): number {
  const placed = models.map(({ model, weight }) => ({ model, weight, prospects: prospectsOf(model, remaining) }));
  const suffices = (price: number): boolean =>
    placed.reduce((sum, { model, weight, prospects }) => sum + weight * timeOf(model, price, prospects, remaining), 0) <= remaining.budget;
  let [low, high] = [0, prices.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (suffices(prices[middle] as number)) high = middle;
    else low = middle + 1;
  }
  return prices[low] as number;
}
