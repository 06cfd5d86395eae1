import type { Totals } from '../../../platform/backup/backup-subject.ts';

/** The money that a backup vouches for: what was asked and what was given back, by state; whole XAF. */
export const paymentTotals: Totals = { table: 'payment', groups: ['status', 'currency'], sums: ['amount', 'refunded_amount'] };
