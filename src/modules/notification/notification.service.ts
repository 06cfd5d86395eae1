import type { EntityManager } from '@mikro-orm/postgresql';
import { Notification } from './notification.entity.ts';
import { notificationNotFound } from './notification.errors.ts';

/** What the learner is told afterwards (specification §8). */
export const done = {
  read: 'Notification marquée comme lue',
  allRead: 'Toutes les notifications ont été marquées comme lues',
  noneUnread: 'Aucune notification non lue',
  deleted: 'Notification supprimée avec succès',
} as const;

/** Marks one of the learner's own as read; one that is read stays so. @throws AppError 404, for somebody else's too */
export async function markRead(em: EntityManager, userId: string, id: number): Promise<void> {
  const found = await em.nativeUpdate(Notification, { id, user: userId }, { lu: true });
  if (found === 0) throw notificationNotFound();
}

/** Marks all of the learner's as read. @returns how many were unread */
export const markAllRead = (em: EntityManager, userId: string): Promise<number> =>
  em.nativeUpdate(Notification, { user: userId, lu: false }, { lu: true });

/** Deletes one of the learner's own. @throws AppError 404, for somebody else's too */
export async function deleteNotification(em: EntityManager, userId: string, id: number): Promise<void> {
  const found = await em.nativeDelete(Notification, { id, user: userId });
  if (found === 0) throw notificationNotFound();
}
