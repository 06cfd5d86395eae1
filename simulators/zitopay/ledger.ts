import { z } from 'zod';

/** A line of the ledger: one decision. */
export const entrySchema = z.object({
  ref: z.string(),
  receiver: z.string(),
  amount: z.int(),
  currency: z.string(),
  status: z.enum(['COMPLETED', 'FAILED']),
  /** ISO 8601, by the simulator's clock. */
  decidedAt: z.string(),
  transactionReference: z.string(),
});

export type LedgerEntry = z.infer<typeof entrySchema>;
