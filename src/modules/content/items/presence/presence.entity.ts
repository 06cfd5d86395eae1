import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { Administrator } from '../../../identity/index.ts';

/** A page on which an administrator has an item open, so that two do not write in it without knowing (decision 133). */
export const ItemPresence = defineEntity({
  name: 'ItemPresence',
  tableName: 'item_presence',
  properties: {
    /** Id of an item or of the draft of a new one. */
    itemId: p.integer().primary(),
    /** Random identifier of the page. */
    page: p.string().length(36).primary(),
    administrator: () => p.manyToOne(Administrator).mapToPk().deleteRule('cascade').index('item_presence_administrator_index'),
    openedAt: p.datetime(),
    seenAt: p.datetime().index('item_presence_seen_index'),
  },
});
export type ItemPresence = InferEntity<typeof ItemPresence>;
