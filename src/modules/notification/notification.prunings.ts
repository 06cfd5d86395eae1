import { daysAgo, type Pruning, pruneRows } from '../../platform/pruning/pruning.ts';

/** What learners have read or deleted long ago. Nobody is told again of what is that old, so that its keys may go too; what is unread stays. */
export const notificationPrunings: readonly Pruning[] = [
  pruneRows('notifications', 'notifications lues', {
    table: 'notification',
    key: 'id',
    condition: '(lu or deleted_at is not null) and date_creation < ?',
    values: (run) => [daysAgo(run, run.retention.readNotifications)],
  }),
];
