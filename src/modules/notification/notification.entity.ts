import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { User } from '../identity/index.ts';

/** A message to a learner. `message` is HTML that we wrote ourselves, every value escaped. */
export const Notification = defineEntity({
  name: 'Notification',
  tableName: 'notification',
  uniques: [{ name: 'notification_user_key_unique', properties: ['user', 'key'] }],
  indexes: [
    { name: 'notification_user_date_index', properties: ['user', 'dateCreation'], where: 'deleted_at is null' },
    // What is removed once it is old. All of them: reading one then changes no index, and its row stays in its page (HOT).
    { name: 'notification_date_index', properties: ['dateCreation'] },
  ],
  properties: {
    id: p.integer().primary(),
    user: () => p.manyToOne(User).mapToPk().deleteRule('cascade'),
    message: p.text(),
    lu: p.boolean().default(false),
    dateCreation: p.datetime(),
    /** What it tells about, when that is told once: `rappel:…`, `contenu:…`. Null: told each time. */
    key: p.string().length(80).nullable(),
    /** When the learner deleted it: it stays, without its text and unseen, so that what it told is not told again. */
    deletedAt: p.datetime().nullable(),
  },
});
export type Notification = InferEntity<typeof Notification>;
