import type { NotificationData } from '../../shared/notifications.ts';
import type { NotificationRow } from './notification.repository.ts';

/** Returns a notification as the API returns it. */
export const presentNotification = ({ id, message, lu, dateCreation }: NotificationRow): NotificationData => ({
  id,
  message,
  lu,
  date_creation: dateCreation.toISOString(),
});
