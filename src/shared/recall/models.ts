import { default_w } from 'ts-fsrs';

/** What models of memory need to know of a question that the learner has answered. */
export interface Trace {
  /** FSRS's stability, in days: recall falls to 90 % after so long. */
  stability: number;
  /** FSRS's difficulty, 1 to 10. */
  difficulty: number;
  /** Number of days whose first answer was right, and wrong. */
  right: number;
  wrong: number;
}

/** A hypothesis about a learner's memory. Each question has one strength, in days; what it means depends on the model. */
export interface MemoryModel {
  name: string;
  /** Share of learners for whom this model is taken to be right before anything is known; the sum need not be 1. */
  prior: number;
  strengthOf(trace: Trace): number;
  /** Returns the probability of recall after so many days. */
  recall(days: number, strength: number): number;
  /** Returns the strength after an answer. @param recall the probability of recall before it */
  next(strength: number, difficulty: number, recall: number, right: boolean): number;
}

/** The weakest strength, in days. */
const weakest = 0.02;
const [wGrowth, wSaturation, wSpacing, wLapse, wLapseDifficulty, wLapseStability, wLapseRecall, wShort, wShortOffset] = [
  8, 9, 10, 11, 12, 13, 14, 17, 18,
].map((index) => default_w[index]) as [number, number, number, number, number, number, number, number, number];

/** FSRS-6's stability after a right (Good) or wrong answer; `ts-fsrs` rounds to 8 digits and is ten times as slow. */
function nextStability(stability: number, difficulty: number, recall: number, right: boolean): number {
  if (right)
    return stability * (1 + Math.exp(wGrowth) * (11 - difficulty) * stability ** -wSaturation * Math.expm1((1 - recall) * wSpacing));
  const lapsed =
    wLapse * difficulty ** -wLapseDifficulty * ((stability + 1) ** wLapseStability - 1) * Math.exp((1 - recall) * wLapseRecall);
  return Math.min(lapsed, stability / Math.exp(wShort * wShortOffset));
}

/** FSRS with all stabilities times `scale`, and the exponent `decay` of its forgetting curve. */
function powerModel(scale: number, decay: number, prior: number): MemoryModel {
  const bend = 0.9 ** (-1 / decay) - 1;
  return {
    name: `power ${scale} ${decay}`,
    prior,
    strengthOf: ({ stability }) => scale * stability,
    recall: (days, strength) => (1 + (bend * days) / strength) ** -decay,
    next: (strength, difficulty, recall, right) => Math.max(weakest, scale * nextStability(strength / scale, difficulty, recall, right)),
  };
}

/** Exponential forgetting. The half-life begins at `first` days; a day with a right answer multiplies it by `gain`, a wrong one by 0.8. */
function halfLifeModel(first: number, gain: number): MemoryModel {
  const loss = 0.8;
  return {
    name: `half-life ${first} ${gain}`,
    prior: 1,
    strengthOf: ({ right, wrong }) => Math.max(weakest, first * gain ** right * loss ** wrong),
    recall: (days, strength) => 2 ** (-days / strength),
    next: (strength, _difficulty, _recall, right) => Math.max(weakest, strength * (right ? gain : loss)),
  };
}

/** The exponent of FSRS-6's forgetting curve. */
const fsrsDecay = default_w[20] as number;

/**
 * The hypotheses, in a fixed order: stored evidence has one number for each. Whoever changes them increases `memoryVersion`.
 * FSRS as published has the largest prior; its curve with other speeds, a steeper curve, and exponential forgetting follow.
 */
export const memoryModels: readonly MemoryModel[] = [
  ...[0.1, 0.35, 1, 3].flatMap((scale) => [
    powerModel(scale, fsrsDecay, scale === 1 ? 6 : 3),
    powerModel(scale, 0.35, scale === 1 ? 4 : 2),
  ]),
  ...[0.7, 2, 6].flatMap((first) => [1.6, 2.5].map((gain) => halfLifeModel(first, gain))),
];
