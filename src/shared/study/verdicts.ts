export const verdicts = ['reussi', 'a_revoir'] as const;
/** A learner's own mark of a practice, after comparing it with the correction. */
export type Verdict = (typeof verdicts)[number];
