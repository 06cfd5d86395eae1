import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { User } from '../../identity/index.ts';

/** Answers of a learner on one day in Africa/Douala. Written by the trigger `count_study_days`. */
export const StudyDay = defineEntity({
  name: 'StudyDay',
  tableName: 'study_day',
  properties: {
    user: () => p.manyToOne(User).mapToPk().primary().deleteRule('cascade'),
    day: p.date().primary(),
    answers: p.integer(),
    /** Time of the answers that were timed, in seconds. */
    seconds: p.integer(),
  },
});
export type StudyDay = InferEntity<typeof StudyDay>;
