import { knownAfterDays } from './days-ahead.ts';
import { type Weighed, weighModels } from './evidence.ts';
import { remainingOf } from './price.ts';
import { daysSince, type Questions } from './questions.ts';
import { longest } from './worth.ts';

/** A range of shares, 0 to 1, in which the share of known questions will be with a probability of 80 %. */
interface Range {
  low: number;
  high: number;
}

/** How much an answer counts: less than in plans, so that a range holds models that fit nearly as well. */
const trust = 0.15;
/** Standard deviation of what no model describes. */
const unmodelled = 0.05;

export interface Outlook {
  /** Share of all questions known on the day if the learner stops now. */
  stopping: Range;
  /** The same with some minutes a day. */
  studying: Range;
}

/**
 * Returns what share of the questions the learner will know in so many days; an unseen question counts as unknown. Null before the first
 * answer on a later day, because nothing is known about the learner's memory.
 * @param now in ms since 1970 @param days until the concours, at least 1 @param minutes a day if the learner goes on
 */
export function outlookOf(questions: Questions, now: number, days: number, minutes: number): Outlook | null {
  const { seen, unseen } = questions;
  if (!seen.some(({ memory }) => memory.right + memory.wrong > 1)) return null;
  const models = weighModels(
    seen.map(({ memory }) => memory),
    trust,
  );
  const ahead = Math.min(Math.max(days, 1), longest);
  const remaining = remainingOf(questions, now, ahead, minutes);
  const count = seen.length + unseen.length;
  const stopping = models.map(({ model, weight }) => {
    const recalls = seen.map((question) => model.recall(daysSince(question, now) + days, model.strengthOf(question.memory)));
    const variance = recalls.reduce((sum, recall) => sum + recall * (1 - recall), 0);
    return { weight, mean: sumOf(recalls) / count, deviation: Math.sqrt(variance) / count };
  });
  const studying = models.map(({ model, weight }) => {
    const mean = knownAfterDays(model, remaining);
    return { weight, mean, deviation: Math.sqrt((mean * (1 - mean)) / count) };
  });
  const [stops, goesOn] = [rangeOf(stopping), rangeOf(studying)];
  // For who forgets fast, days ahead bring less than the models foresee early on: the low end is half-way to that of stopping.
  return { stopping: stops, studying: { low: (goesOn.low + Math.min(stops.low, goesOn.low)) / 2, high: goesOn.high } };
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

type Parts = readonly (Pick<Weighed, 'weight'> & { mean: number; deviation: number })[];

const rangeOf = (parts: Parts): Range => ({ low: quantile(parts, 0.1), high: quantile(parts, 0.9) });

/** Returns a quantile of a mixture of normal distributions within 0 to 1, by bisection. */
function quantile(parts: Parts, share: number): number {
  let [low, high] = [0, 1];
  for (let turn = 0; turn < 20; turn += 1) {
    const middle = (low + high) / 2;
    const below = parts.reduce(
      (sum, { weight, mean, deviation }) => sum + weight * normalBelow((middle - mean) / Math.hypot(deviation, unmodelled)),
      0,
    );
    if (below < share) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** Returns the probability of a standard normal value below z, by the logistic approximation of Bowling et al. (2009); error below 0.0002. */
const normalBelow = (z: number): number => 1 / (1 + Math.exp(-(0.07056 * z ** 3 + 1.5976 * z)));
