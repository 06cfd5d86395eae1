import type { EntityManager } from '@mikro-orm/postgresql';

/**
 * Waits until no other transaction in any process holds one of these names, and locks them until this transaction ends. Locks are taken in
 * sorted order, so that two transactions with common names cannot deadlock.
 */
export async function lockNames(tx: EntityManager, names: readonly string[]): Promise<void> {
  await tx.execute(
    `select pg_advisory_xact_lock(key) from (select distinct hashtextextended(name, 0) as key from unnest(?::text[]) name order by key) keys`,
    [`{${names.map((name) => `"${name}"`).join(',')}}`],
  );
}

const backup = `hashtextextended('backup', 0)`;

/** Taken by the session of a backup. Shared: backups may run at the same time, but nothing is pruned meanwhile. */
export const holdBackup = `select pg_advisory_lock_shared(${backup})`;

/** Lock timeout, in ms. Longer than an ending transaction takes to release its locks; shorter than any backup. */
const lettingGoMs = 500;
const lockNotAvailable = '55P03';

/** Prevents new backups until the transaction ends. @returns false if a backup is running; the transaction has then failed */
export async function holdOffBackups(tx: EntityManager): Promise<boolean> {
  try {
    await tx.execute(`set local lock_timeout = ${lettingGoMs}`);
    await tx.execute(`select pg_advisory_xact_lock(${backup})`);
    await tx.execute('set local lock_timeout to default');
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code === lockNotAvailable) return false;
    throw error;
  }
}
