import type { EntityManager } from '@mikro-orm/postgresql';

/**
 * For the rest of this transaction the words of what is append-only may change, so that a learner's can go; its facts may not, and no row goes
 * (the triggers of `refuse_change`).
 */
export async function allowErasing(tx: EntityManager): Promise<void> {
  if (!tx.isInTransaction()) throw new Error('what is append-only is opened for one transaction');
  await tx.execute(`select set_config('prepa.erasing', 'on', true)`);
}
