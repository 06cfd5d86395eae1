import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { User } from '../../identity/index.ts';
import { Item } from '../items/item.entity.ts';

/** That a learner has opened an item, and when last. */
export const ItemReading = defineEntity({
  name: 'ItemReading',
  tableName: 'item_reading',
  indexes: [{ name: 'item_reading_user_date_index', properties: ['user', 'readAt'] }],
  properties: {
    user: () => p.manyToOne(User).mapToPk().primary().deleteRule('cascade'),
    item: () => p.manyToOne(Item).mapToPk().primary().deleteRule('cascade').index('item_reading_item_index'),
    readAt: p.datetime(),
  },
});
export type ItemReading = InferEntity<typeof ItemReading>;
