import type { NotificationData } from '../../shared/notifications.ts';
import type { NotificationRow } from './notification.repository.ts';

/** A notification as the API answers it. */
export const presentNotification = ({ id, message, lu, dateCreation }: NotificationRow): NotificationData => ({
  id,
  message,
  lu,
  date_creation: dateCreation.toISOString(),
});
