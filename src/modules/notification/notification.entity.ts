import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { User } from '../identity/index.ts';

/** A message to a learner. `message` is HTML written by the server, with all values escaped. */
export const Notification = defineEntity({
  name: 'Notification',
  tableName: 'notification',
  uniques: [{ name: 'notification_user_key_unique', properties: ['user', 'key'] }],
  indexes: [
    { name: 'notification_user_date_index', properties: ['user', 'dateCreation'], where: 'deleted_at is null' },
    // Used by the pruning. It indexes unread rows too, so that marking as read changes no index and stays a HOT update.
    { name: 'notification_date_index', properties: ['dateCreation'] },
  ],
  properties: {
    id: p.integer().primary(),
    user: () => p.manyToOne(User).mapToPk().deleteRule('cascade'),
    message: p.text(),
    lu: p.boolean().default(false),
    dateCreation: p.datetime(),
    /** Identifies the event of a message that is sent only once: `rappel:…`, `contenu:…`. Null: sent each time. */
    key: p.string().length(80).nullable(),
    /** When the learner deleted it. The row stays, without its text and hidden, so that the message is not sent again. */
    deletedAt: p.datetime().nullable(),
  },
});
export type Notification = InferEntity<typeof Notification>;
