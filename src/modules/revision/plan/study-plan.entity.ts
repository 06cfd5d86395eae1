import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { dayChoices } from '../../../shared/forms/concours.ts';
import { Prepa } from '../../catalogue/index.ts';
import { User } from '../../identity/index.ts';

/** A learner's date and daily time for a prepa. Without a row the prepa's date and 15 minutes count. */
export const StudyPlan = defineEntity({
  name: 'StudyPlan',
  tableName: 'study_plan',
  properties: {
    user: () => p.manyToOne(User).mapToPk().primary().deleteRule('cascade'),
    prepa: () => p.manyToOne(Prepa).mapToPk().primary().deleteRule('cascade').index('study_plan_prepa_index'),
    /** Which date counts. */
    choice: p.enum([...dayChoices]),
    /** The learner's own date; null unless `choice` is 'own'. */
    day: p.date().nullable(),
    /** Minutes a day. */
    minutes: p.integer(),
  },
  checks: [
    { name: 'study_plan_day_check', expression: "(choice = 'own') = (day is not null)" },
    { name: 'study_plan_minutes_check', expression: 'minutes in (5, 15, 30, 60)' },
  ],
});
export type StudyPlan = InferEntity<typeof StudyPlan>;
