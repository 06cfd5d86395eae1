import type { EntityManager } from '@mikro-orm/postgresql';
import pg, { type QueryResultRow } from 'pg';

/**
 * A read on the hot path: PostgreSQL parses and plans it once per connection. Runs outside transactions, on the ORM's own pool.
 * A pooler in transaction mode must support prepared statements.
 */
export function namedStatement<Row extends QueryResultRow>(statement: { name: string; text: string }) {
  return async (em: EntityManager, values: unknown[]): Promise<Row[]> => {
    const pool = await em.getConnection().getNativeClient();
    // The ORM's connections leave dates as text, since it maps them itself; these rows come as the driver reads them.
    const result = await pool.query<Row>({ name: statement.name, text: statement.text, values, types: pg.types });
    return result.rows;
  };
}
