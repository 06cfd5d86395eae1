import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { verdicts } from '../../../shared/study/verdicts.ts';
import { Item } from '../../content/index.ts';
import { User } from '../../identity/index.ts';

/** How a learner marked an exercise or past subject taken as practice. Only the last mark is kept. */
export const Practice = defineEntity({
  name: 'Practice',
  tableName: 'practice',
  properties: {
    user: () => p.manyToOne(User).mapToPk().primary().deleteRule('cascade'),
    item: () => p.manyToOne(Item).mapToPk().primary().deleteRule('cascade').index('practice_item_index'),
    verdict: p.enum([...verdicts]),
    markedAt: p.datetime(),
    /** Number of practices marked so far. */
    times: p.integer().default(1),
  },
});
export type Practice = InferEntity<typeof Practice>;
