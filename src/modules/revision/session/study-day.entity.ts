import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { User } from '../../identity/index.ts';

/**
 * A day in Africa/Douala on which a learner answered questions or marked an exercise. Written by the triggers `count_study_days`,
 * `note_practice_days` and `note_kept_practice_days`.
 */
export const StudyDay = defineEntity({
  name: 'StudyDay',
  tableName: 'study_day',
  properties: {
    user: () => p.manyToOne(User).mapToPk().primary().deleteRule('cascade'),
    day: p.date().primary(),
    /** Number of answers; 0 on a day with verdicts alone. */
    answers: p.integer(),
    /** Time of the answers that were timed, in seconds. */
    seconds: p.integer(),
  },
});
export type StudyDay = InferEntity<typeof StudyDay>;
