import type { Totals } from '../../../platform/backup/backup-subject.ts';

/** Sums that a backup records for comparison: amounts and refunds by state, in whole XAF. */
export const paymentTotals: Totals = { table: 'payment', groups: ['status', 'currency'], sums: ['amount', 'refunded_amount'] };
