import { daysAgo, type Pruning, pruneRows } from '../../../platform/pruning/pruning.ts';
import { payerTracePruning } from './payer-traces.ts';

/** Payments, their history and their notifications are the books and stay forever. */
export const paymentPrunings: readonly Pruning[] = [
  pruneRows('unknown_notifications', 'notifications de prestataires sans paiement connu', {
    table: 'payment_notification',
    key: 'id',
    condition: 'payment_id is null and received_at < ?',
    values: (run) => [daysAgo(run, run.retention.unknownNotifications)],
  }),
  payerTracePruning,
];
