import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { User } from '../identity/index.ts';

/** A message to a learner. `message` is HTML that we wrote ourselves, every value escaped. */
export const Notification = defineEntity({
  name: 'Notification',
  tableName: 'notification',
  indexes: [{ name: 'notification_user_date_index', properties: ['user', 'dateCreation'] }],
  properties: {
    id: p.integer().primary(),
    user: () => p.manyToOne(User).mapToPk().deleteRule('cascade'),
    message: p.text(),
    lu: p.boolean().default(false),
    dateCreation: p.datetime(),
  },
});
export type Notification = InferEntity<typeof Notification>;
