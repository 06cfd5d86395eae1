import type { EntityManager } from '@mikro-orm/postgresql';

/**
 * Allows changing text columns of append-only tables for the rest of this transaction, so that a learner's personal data can be erased.
 * Other columns still cannot change, and no row can be deleted (the triggers of `refuse_change`).
 */
export async function allowErasing(tx: EntityManager): Promise<void> {
  if (!tx.isInTransaction()) throw new Error('what is append-only is opened for one transaction');
  await tx.execute(`select set_config('prepa.erasing', 'on', true)`);
}
