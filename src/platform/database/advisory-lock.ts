import type { EntityManager } from '@mikro-orm/postgresql';

/**
 * Waits until nobody else in any process holds one of these names, and holds them until the transaction ends. Taken in one order, so that two
 * that ask for the same names do not wait for each other.
 */
export async function lockNames(tx: EntityManager, names: readonly string[]): Promise<void> {
  await tx.execute(
    `select pg_advisory_xact_lock(key) from (select distinct hashtextextended(name, 0) as key from unnest(?::text[]) name order by key) keys`,
    [`{${names.map((name) => `"${name}"`).join(',')}}`],
  );
}

const backup = `hashtextextended('backup', 0)`;

/** For the session of a backup: several may be under way, but nothing is pruned meanwhile. */
export const holdBackup = `select pg_advisory_lock_shared(${backup})`;

/** Longer than a transaction that ends takes to let go of one lock after the other; a backup lasts longer. */
const lettingGoMs = 500;
const lockNotAvailable = '55P03';

/** Holds backups off until the transaction ends. @returns false when one is under way: the transaction has failed then */
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
