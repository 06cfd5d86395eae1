import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { Item } from '../../content/index.ts';
import { User } from '../../identity/index.ts';

export const faultKinds = ['texte', 'formule', 'corrige', 'image', 'autre'] as const;
/** The kind of error that a learner reports. */
export type FaultKind = (typeof faultKinds)[number];

/** An error that a learner reported in an item. Open until an administrator answers or closes it. */
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
    /** The learner's further remarks; '' when none. */
    message: p.string().length(1000),
    createdAt: p.datetime(),
    closedAt: p.datetime().nullable(),
    /** The administrator's answer to the learner; null without an answer. */
    answer: p.string().length(1000).nullable(),
  },
});
export type ItemReport = InferEntity<typeof ItemReport>;
