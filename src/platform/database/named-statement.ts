import type { EntityManager } from '@mikro-orm/postgresql';
import pg from 'pg';
import { replicasOf } from './replicas/replicas.ts';
import { fieldOf, rowsOf } from './rows.ts';

interface NamedStatement {
  name: string;
  text: string;
  /**
   * 'replica': what it reads may be some seconds old, and nothing of it decides what somebody may see, has paid or has done. What is kept by versions that the primary
   * has named, or would be refused, is compared by `isCurrent`.
   */
  reads?: 'replica' | undefined;
}

/**
 * A read on the hot path: PostgreSQL parses and plans it once per connection. Runs outside transactions, on the ORM's own pool.
 * Without DATABASE_NAMED_STATEMENTS the connection takes the name away (connections/unnamed-statements.ts).
 */
export function namedStatement<Row extends object>(statement: NamedStatement) {
  let fields: string[] | undefined;
  const rowsFrom = async (pool: Pick<pg.Pool, 'query'>, values: unknown[]): Promise<Row[]> => {
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
  /** @param isCurrent of rows from a replica: otherwise the primary is asked */
  return async (em: EntityManager, values: unknown[], isCurrent: (rows: Row[]) => boolean = () => true): Promise<Row[]> => {
    const replicas = statement.reads === 'replica' ? replicasOf(em) : undefined;
    const rows = replicas && (await replicas.read((pool) => rowsFrom(pool, values), isCurrent));
    return rows ?? rowsFrom(await em.getConnection().getNativeClient(), values);
  };
}
