import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { Given } from '../../../shared/questions/grade.ts';
import { seriesModes } from '../../../shared/questions/series.ts';
import { Item } from '../../content/index.ts';
import { User } from '../../identity/index.ts';

/** A learner's attempt at a series. At most one of a series is open. */
export const SeriesAttempt = defineEntity({
  name: 'SeriesAttempt',
  tableName: 'series_attempt',
  indexes: [
    { name: 'series_attempt_user_index', properties: ['user', 'item', 'startedAt'] },
    // For the pruning of old attempts.
    { name: 'series_attempt_date_index', properties: ['startedAt'] },
  ],
  uniques: [{ name: 'series_attempt_open_unique', properties: ['user', 'item'], where: 'finished_at is null' }],
  properties: {
    id: p.uuid().primary(),
    user: () => p.manyToOne(User).mapToPk().deleteRule('cascade'),
    item: () => p.manyToOne(Item).mapToPk().deleteRule('cascade').index('series_attempt_item_index'),
    mode: p.enum([...seriesModes]),
    /** Ids of the questions asked; null: all of the series. */
    asked: p.json().$type<string[]>().nullable(),
    /** Answers kept until the end of 'Comme à l'examen', by question. They become rows of `answer` then. */
    given: p.json().$type<Record<string, Given>>().default('{}'),
    startedAt: p.datetime(),
    /** End of the time; null for no limit. */
    endsAt: p.datetime().nullable(),
    finishedAt: p.datetime().nullable(),
  },
});
export type SeriesAttempt = InferEntity<typeof SeriesAttempt>;
