import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { outcomes } from '../../../shared/revision/countdown.ts';
import { Prepa } from '../../catalogue/index.ts';
import { User } from '../../identity/index.ts';

/** How a concours went, as the learner says. */
export const ConcoursOutcome = defineEntity({
  name: 'ConcoursOutcome',
  tableName: 'concours_outcome',
  properties: {
    user: () => p.manyToOne(User).mapToPk().primary().deleteRule('cascade'),
    prepa: () => p.manyToOne(Prepa).mapToPk().primary().deleteRule('cascade').index('concours_outcome_prepa_index'),
    /** The day of the concours. */
    day: p.date().primary(),
    outcome: p.enum([...outcomes]),
    answeredAt: p.datetime(),
  },
});
export type ConcoursOutcome = InferEntity<typeof ConcoursOutcome>;
