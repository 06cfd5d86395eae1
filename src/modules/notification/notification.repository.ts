import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../platform/database/named-statement.ts';
import { maxListed } from '../../shared/notifications.ts';

export interface NotificationRow {
  id: number;
  message: string;
  lu: boolean;
  dateCreation: Date;
}

const ofLearner = namedStatement<NotificationRow>({
  name: 'notification.of-learner',
  text: `select id, message, lu, date_creation from notification where user_id = $1 and deleted_at is null order by date_creation desc, id desc limit ${maxListed}`,
});

const one = namedStatement<NotificationRow>({
  name: 'notification.one',
  text: 'select id, message, lu, date_creation from notification where user_id = $1 and id = $2 and deleted_at is null',
});

/**
 * Returns SQL of a learner's number of unread notifications, at most 100: the badge shows at most 99. Counts only the notifications
 * that the panel lists, so that both agree.
 */
export const unreadOf = (learner: string): string =>
  `(select least(count(*) filter (where not lu), 100)::int
    from (select lu from notification where user_id = ${learner} and deleted_at is null order by date_creation desc, id desc limit ${maxListed}) as newest)`;

const unread = namedStatement<{ count: number }>({ name: 'notification.unread', text: `select ${unreadOf('$1')} as count` });

/** Returns a learner's notifications, newest first. */
export const listNotifications = (em: EntityManager, userId: string): Promise<NotificationRow[]> => ofLearner(em, [userId]);

/** Returns one of the learner's own notifications; null for an unknown notification, and for a notification of another learner. */
export const findNotification = async (em: EntityManager, userId: string, id: number): Promise<NotificationRow | null> =>
  (await one(em, [userId, id]))[0] ?? null;

/** Returns the number of unread notifications, at most 100. */
export const countUnread = async (em: EntityManager, userId: string): Promise<number> => (await unread(em, [userId]))[0]?.count ?? 0;
