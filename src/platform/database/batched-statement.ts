import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from './named-statement.ts';

/** SQLSTATEs of a refused value: it fails the whole batch, so each entry is then tried alone. Any other error fails all entries alike. */
const refusedValue = /^2[23]/;
/** SQLSTATE of a statement that was ended for another one, and rolled back. */
const deadlock = '40P01';
const sqlState = (error: unknown): string => String((error as { code?: unknown } | null)?.code ?? '');

interface Batched {
  name: string;
  /**
   * The first parameter is a JSON array of entries. The statement returns one row per entry: `position` (from 1) and the columns for the
   * caller.
   */
  text: string;
  /** Maximum number of entries per statement. */
  maxEntries: number;
}

interface Waiting<Row> {
  entry: object;
  resolve(row: Row): void;
  reject(error: unknown): void;
}

/**
 * Returns a named statement for hundreds of concurrent callers, each with its own result. While the statement runs, further entries are
 * collected for its next run. A burst thus takes one pool connection instead of all, and one statement and commit for many entries.
 * A statement that meets a deadlock is repeated once. Failures are those of `namedStatement`.
 */
export function batchedStatement<Row extends object>({ name, text, maxEntries }: Batched) {
  const statement = namedStatement<Row & { position: number }>({ name, text });
  /** Entries waiting for the next run, by pool: each database has its own. */
  const waiting = new WeakMap<object, Waiting<Row>[]>();

  async function runAll(em: EntityManager, batch: Waiting<Row>[], further: () => unknown[], isRepeated = false): Promise<void> {
    try {
      const rows = await statement(em, [JSON.stringify(batch.map(({ entry }) => entry)), ...further()]);
      const byPosition = new Map(rows.map((row) => [Number(row.position), row]));
      batch.forEach((one, index) => {
        const row = byPosition.get(index + 1);
        if (row) one.resolve(row);
        else one.reject(new Error(`${name} returned nothing for an entry`));
      });
    } catch (error) {
      if (sqlState(error) === deadlock && !isRepeated) await runAll(em, batch, further, true);
      else if (batch.length > 1 && refusedValue.test(sqlState(error))) for (const one of batch) await runAll(em, [one], further);
      else for (const one of batch) one.reject(error);
    }
  }

  /** @param further returns the statement's other parameters; called when the statement is sent */
  return async (em: EntityManager, entry: object, further: () => unknown[] = () => []): Promise<Row> => {
    const pool: object = await em.getConnection().getNativeClient();
    return new Promise<Row>((resolve, reject) => {
      const queue = waiting.get(pool);
      if (queue) {
        queue.push({ entry, resolve, reject });
        return;
      }
      const mine = [{ entry, resolve, reject }];
      waiting.set(pool, mine);
      void (async () => {
        while (mine.length > 0) await runAll(em, mine.splice(0, maxEntries), further);
        waiting.delete(pool);
      })();
    });
  };
}
