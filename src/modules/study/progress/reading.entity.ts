import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { Item } from '../../content/index.ts';
import { User } from '../../identity/index.ts';

/** A learner's use of an item: when they last opened it, and when they first finished it. */
export const ItemReading = defineEntity({
  name: 'ItemReading',
  tableName: 'item_reading',
  properties: {
    user: () => p.manyToOne(User).mapToPk().primary().deleteRule('cascade'),
    item: () => p.manyToOne(Item).mapToPk().primary().deleteRule('cascade').index('item_reading_item_index'),
    readAt: p.datetime(),
    /**
     * Set when the learner reached the end, pressed 'J'ai terminé' or marked themselves against the correction; null while the item
     * is only opened.
     */
    finishedAt: p.datetime().nullable(),
  },
});
export type ItemReading = InferEntity<typeof ItemReading>;
