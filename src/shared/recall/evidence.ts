import { type MemoryModel, memoryModels, type Trace } from './models.ts';

/** Share of right answers without knowledge, and of wrong ones with it. */
const [guessed, slipped] = [0.1, 0.05];
/** Answers of one learner depend on each other, so each counts less than an independent one. */
const trust = 0.6;

/**
 * An answer after so many days counts fully, a sooner one in proportion. Most answers come after a day or two, and would otherwise choose a
 * model that is right about these and wrong about weeks.
 */
const fullGap = 8;

/** Returns the probability of a right answer of a learner who knows the question with this probability. */
export const rightWhenKnown = (recall: number): number => guessed + (1 - guessed - slipped) * recall;

/** Returns the log-likelihood of an answer under each model, weighed by its gap, before the answer changes the memory. @param days since the previous answer */
export const evidenceOf = (trace: Trace, days: number, right: boolean): number[] =>
  memoryModels.map((model) => {
    const chance = rightWhenKnown(model.recall(days, model.strengthOf(trace)));
    return Math.min(1, days / fullGap) * Math.log(right ? chance : 1 - chance);
  });

/** A model with its weight. */
export interface Weighed {
  model: MemoryModel;
  weight: number;
}

/**
 * Returns the models that the learner's answers leave possible, with weights whose sum is 1; those below 2 % are left out.
 * @param trusted how much an answer counts, compared with an independent one
 */
export function weighModels(memories: readonly { evidence: readonly number[] }[], trusted = trust): Weighed[] {
  const logs = memoryModels.map(
    ({ prior }, index) => Math.log(prior) + trusted * memories.reduce((sum, { evidence }) => sum + (evidence[index] ?? 0), 0),
  );
  const largest = Math.max(...logs);
  const weights = logs.map((log) => Math.exp(log - largest));
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  const kept = memoryModels
    .map((model, index) => ({ model, weight: (weights[index] as number) / all }))
    .filter(({ weight }) => weight > 0.02);
  const rest = kept.reduce((sum, { weight }) => sum + weight, 0);
  return kept.map(({ model, weight }) => ({ model, weight: weight / rest }));
}

/** Returns the probability that the learner knows a question so many days after its last answer. */
export const mixedRecall = (models: readonly Weighed[], trace: Trace, days: number): number =>
  models.reduce((sum, { model, weight }) => sum + weight * model.recall(days, model.strengthOf(trace)), 0);
