import { daysAgo, type Pruning, pruneRows } from '../../platform/pruning/pruning.ts';

/**
 * Removes old notifications that were read or deleted; unread ones stay. Events that old are not sent again, so their keys can go
 * too.
 */
export const notificationPrunings: readonly Pruning[] = [
  pruneRows('notifications', 'notifications lues', {
    table: 'notification',
    key: 'id',
    condition: '(lu or deleted_at is not null) and date_creation < ?',
    values: (run) => [daysAgo(run, run.retention.readNotifications)],
  }),
];
