import type { EntityManager } from '@mikro-orm/postgresql';
import pg from 'pg';
import { fieldOf, rowsOf } from './rows.ts';

/**
 * A read on the hot path: PostgreSQL parses and plans it once per connection. Runs outside transactions, on the ORM's own pool.
 * A pooler in transaction mode must support prepared statements.
 */
export function namedStatement<Row extends object>(statement: { name: string; text: string }) {
  let fields: string[] | undefined;
  return async (em: EntityManager, values: unknown[]): Promise<Row[]> => {
    const pool = await em.getConnection().getNativeClient();
    // The ORM's connections leave dates as text, since it maps them itself; these rows come as the driver reads them.
    const result = await pool.query<unknown[]>({
      name: statement.name,
      text: statement.text,
      // The driver's own way writes the local time, digit by digit.
      values: values.map((value) => (value instanceof Date ? value.toISOString() : value)),
      types: pg.types,
      rowMode: 'array',
    });
    fields ??= result.fields.map(({ name }) => fieldOf(name));
    return rowsOf(fields, result.rows);
  };
}
