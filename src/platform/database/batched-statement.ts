import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from './named-statement.ts';

/** Of a statement that refused a value: a batch fails whole for one of them, and each is then tried alone. Of anything else all fail alike. */
const refusedValue = /^2[23]/;
const sqlState = (error: unknown): string => String((error as { code?: unknown } | null)?.code ?? '');

interface Batched {
  name: string;
  /** Its first parameter is a JSON array of entries; it returns a row for each: its `position` from 1, and what the caller is given. */
  text: string;
  /** Entries in one statement, at most. */
  maxEntries: number;
}

interface Waiting<Row> {
  entry: object;
  resolve(row: Row): void;
  reject(error: unknown): void;
}

/**
 * A named statement that hundreds ask for within a second, each waiting for its own outcome: while it runs, what comes next gathers, and goes with the next one. A
 * burst takes one connection of the pool instead of all, and a statement and a commit for many. Its failures are those of `namedStatement`.
 */
export function batchedStatement<Row extends object>({ name, text, maxEntries }: Batched) {
  const statement = namedStatement<Row & { position: number }>({ name, text });
  /** By pool: each database has its own. Those that wait while a statement of theirs runs. */
  const waiting = new WeakMap<object, Waiting<Row>[]>();

  async function runAll(em: EntityManager, batch: Waiting<Row>[], further: () => unknown[]): Promise<void> {
    try {
      const rows = await statement(em, [JSON.stringify(batch.map(({ entry }) => entry)), ...further()]);
      const byPosition = new Map(rows.map((row) => [Number(row.position), row]));
      batch.forEach((one, index) => {
        const row = byPosition.get(index + 1);
        if (row) one.resolve(row);
        else one.reject(new Error(`${name} returned nothing for an entry`));
      });
    } catch (error) {
      if (batch.length > 1 && refusedValue.test(sqlState(error))) for (const one of batch) await runAll(em, [one], further);
      else for (const one of batch) one.reject(error);
    }
  }

  /** @param further the statement's other parameters, as they are when it is sent */
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
