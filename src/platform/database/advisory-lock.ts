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
