import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { Item } from '../../content/index.ts';
import { User } from '../../identity/index.ts';

export const faultKinds = ['texte', 'formule', 'corrige', 'image', 'autre'] as const;
/** What a learner says is wrong with an item. */
export type FaultKind = (typeof faultKinds)[number];

/** An error that a learner has found in an item. Open until an administrator has answered or closed it. */
export const ItemReport = defineEntity({
  name: 'ItemReport',
  tableName: 'item_report',
  indexes: [
    { name: 'item_report_user_date_index', properties: ['user', 'createdAt'] },
    { name: 'item_report_open_index', properties: ['id'], where: 'closed_at is null' },
  ],
  properties: {
    id: p.integer().primary(),
    item: () => p.manyToOne(Item).mapToPk().deleteRule('cascade').index('item_report_item_index'),
    user: () => p.manyToOne(User).mapToPk().deleteRule('cascade'),
    kind: p.enum([...faultKinds]),
    /** Where in the item, in the learner's words. */
    place: p.string().length(200),
    /** What they add; '' for nothing. */
    message: p.string().length(1000),
    createdAt: p.datetime(),
    closedAt: p.datetime().nullable(),
    /** What the learner was answered; null without an answer. */
    answer: p.string().length(1000).nullable(),
  },
});
export type ItemReport = InferEntity<typeof ItemReport>;
