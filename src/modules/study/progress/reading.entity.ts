import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { Item } from '../../content/index.ts';
import { User } from '../../identity/index.ts';

/** What a learner has made of an item: when they opened it last, and when they finished it first. */
export const ItemReading = defineEntity({
  name: 'ItemReading',
  tableName: 'item_reading',
  properties: {
    user: () => p.manyToOne(User).mapToPk().primary().deleteRule('cascade'),
    item: () => p.manyToOne(Item).mapToPk().primary().deleteRule('cascade').index('item_reading_item_index'),
    readAt: p.datetime(),
    /** Its end was reached, they said so, or they marked themselves against its correction; null while it is only opened. */
    finishedAt: p.datetime().nullable(),
  },
});
export type ItemReading = InferEntity<typeof ItemReading>;
