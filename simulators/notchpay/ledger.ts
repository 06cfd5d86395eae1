import { z } from 'zod';

/** Where a payment stands: the provider's own words, with its own spelling. */
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

/** A decision, as one line of the ledger; a payment may have several, the last one holds. */
export const entrySchema = z.object({
  /** The merchant's reference. */
  ref: z.string(),
  transactionReference: z.string(),
  amount: z.int(),
  currency: z.string(),
  status: statusSchema,
  /** What the payer has paid and not got back, in whole units. */
  paid: z.int(),
  /** ISO 8601, by the simulator's clock. */
  decidedAt: z.string(),
});

export type LedgerEntry = z.infer<typeof entrySchema>;
