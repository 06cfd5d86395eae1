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

/** Holds backups off until the transaction ends. @returns false, and holds nothing, when one is under way */
export async function holdOffBackups(tx: EntityManager): Promise<boolean> {
  const [row] = await tx.execute<{ taken: boolean }[]>(`select pg_try_advisory_xact_lock(${backup}) as taken`);
  return row?.taken ?? false;
}
