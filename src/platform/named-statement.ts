import type { EntityManager } from '@mikro-orm/postgresql';
import type { QueryResultRow } from 'pg';

/**
 * A read on the hot path: PostgreSQL parses and plans it once per connection. Runs outside transactions, on the ORM's own pool.
 * A pooler in transaction mode must support prepared statements.
 */
export function namedStatement<Row extends QueryResultRow>(statement: { name: string; text: string }) {
  return async (em: EntityManager, values: unknown[]): Promise<Row[]> => {
    const pool = await em.getConnection().getNativeClient();
    const result = await pool.query<Row>({ name: statement.name, text: statement.text, values });
    return result.rows;
  };
}
