import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { PlannedQuestion } from '../../../shared/recall/plan.ts';
import { Prepa } from '../../catalogue/index.ts';
import { User } from '../../identity/index.ts';

/** A learner's session of a day, planned when it begins. Its answers are rows of `answer` under keys derived from its id. */
export const DailySession = defineEntity({
  name: 'DailySession',
  tableName: 'daily_session',
  uniques: [{ name: 'daily_session_unique', properties: ['user', 'day', 'prepa', 'part'] }],
  // For the pruning of old sessions.
  indexes: [{ name: 'daily_session_date_index', properties: ['startedAt'] }],
  properties: {
    id: p.uuid().primary(),
    user: () => p.manyToOne(User).mapToPk().deleteRule('cascade'),
    prepa: () => p.manyToOne(Prepa).mapToPk().deleteRule('cascade').index('daily_session_prepa_index'),
    /** Day in Africa/Douala. */
    day: p.date(),
    /** 1 for the day's session, then one for each 'Encore 5 minutes'. */
    part: p.integer(),
    /** The questions in the order in which they are asked. */
    asked: p.json().$type<PlannedQuestion[]>(),
    startedAt: p.datetime(),
    finishedAt: p.datetime().nullable(),
  },
});
export type DailySession = InferEntity<typeof DailySession>;
