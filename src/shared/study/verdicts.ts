export const verdicts = ['reussi', 'a_revoir'] as const;
/** How a learner has marked a practice against the correction. */
export type Verdict = (typeof verdicts)[number];
