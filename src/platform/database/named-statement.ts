import type { EntityManager } from '@mikro-orm/postgresql';
import pg from 'pg';
import { replicasOf } from './replicas/replicas.ts';
import { fieldOf, rowsOf } from './rows.ts';

interface NamedStatement {
  name: string;
  text: string;
  /**
   * 'replica': the rows may be some seconds old, so they must not decide on a person's access, payments or marks. Rows that are
   * cached by the primary's versions, or must not be stale, are checked by `isCurrent`.
   */
  reads?: 'replica' | undefined;
}

/**
 * Returns a read for the hot path: PostgreSQL parses and plans it once per connection. Runs outside transactions, on the ORM's pool.
 * Without DATABASE_NAMED_STATEMENTS the connection removes the name (connections/unnamed-statements.ts).
 */
export function namedStatement<Row extends object>(statement: NamedStatement) {
  let fields: string[] | undefined;
  const rowsFrom = async (pool: Pick<pg.Pool, 'query'>, values: unknown[]): Promise<Row[]> => {
    // The ORM's connections return dates as text, since the ORM maps them; `types: pg.types` restores the driver's parsing.
    const result = await pool.query<unknown[]>({
      name: statement.name,
      text: statement.text,
      // The driver itself would format local time, which is slow.
      values: values.map((value) => (value instanceof Date ? value.toISOString() : value)),
      types: pg.types,
      rowMode: 'array',
    });
    fields ??= result.fields.map(({ name }) => fieldOf(name));
    return rowsOf(fields, result.rows);
  };
  /** @param isCurrent checks rows from a replica; if it returns false, the primary is read */
  return async (em: EntityManager, values: unknown[], isCurrent: (rows: Row[]) => boolean = () => true): Promise<Row[]> => {
    const replicas = statement.reads === 'replica' ? replicasOf(em) : undefined;
    const rows = replicas && (await replicas.read((pool) => rowsFrom(pool, values), isCurrent));
    return rows ?? rowsFrom(await em.getConnection().getNativeClient(), values);
  };
}
