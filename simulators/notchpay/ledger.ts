import { z } from 'zod';

/** A payment's status, as the provider spells it. */
export const statusSchema = z.enum([
  'pending',
  'processing',
  'complete',
  'incomplete',
  'failed',
  'rejected',
  'canceled',
  'abandoned',
  'expired',
  'refunded',
  'partialy-refunded',
]);

export type Status = z.infer<typeof statusSchema>;

/** A line of the ledger: one decision. If a payment has several, the last one counts. */
export const entrySchema = z.object({
  /** The merchant's reference. */
  ref: z.string(),
  transactionReference: z.string(),
  amount: z.int(),
  currency: z.string(),
  status: statusSchema,
  /** The amount paid and not refunded, in whole units of the currency. */
  paid: z.int(),
  /** ISO 8601, by the simulator's clock. */
  decidedAt: z.string(),
});

export type LedgerEntry = z.infer<typeof entrySchema>;
