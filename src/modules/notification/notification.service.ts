import type { EntityManager } from '@mikro-orm/postgresql';
import { Notification } from './notification.entity.ts';
import { notificationNotFound } from './notification.errors.ts';

/** Messages shown after each action (specification §8). */
export const done = {
  read: 'Notification marquée comme lue',
  allRead: 'Toutes les notifications ont été marquées comme lues',
  noneUnread: 'Aucune notification non lue',
  deleted: 'Notification supprimée avec succès',
} as const;

/**
 * Marks one of the learner's own notifications as read; a second call changes nothing.
 * @throws AppError 404, also for a notification of another learner
 */
export async function markRead(em: EntityManager, userId: string, id: number): Promise<void> {
  const found = await em.nativeUpdate(Notification, { id, user: userId, deletedAt: null }, { lu: true });
  if (found === 0) throw notificationNotFound();
}

/**
 * Marks all of the learner's notifications as read, up to the newest that they have seen, if given. @returns the number that were
 * unread
 */
export const markAllRead = (em: EntityManager, userId: string, newestSeen?: number): Promise<number> =>
  em.nativeUpdate(
    Notification,
    { user: userId, lu: false, deletedAt: null, ...(newestSeen === undefined ? {} : { id: { $lte: newestSeen } }) },
    { lu: true },
  );

/**
 * Deletes one of the learner's own notifications. For a one-time message the row stays, hidden and without its text, since its key
 * prevents a second message.
 * @throws AppError 404, also for a notification of another learner
 */
export async function deleteNotification(em: EntityManager, userId: string, id: number, now: Date): Promise<void> {
  const own = 'id = ? and user_id = ? and deleted_at is null';
  const found = await em.execute<{ id: number }[]>(
    `with gone as (delete from notification where ${own} and key is null returning id),
          kept as (update notification set deleted_at = ?, message = '' where ${own} and key is not null returning id)
     select id from gone union all select id from kept`,
    [id, userId, now, id, userId],
  );
  if (found.length === 0) throw notificationNotFound();
}
