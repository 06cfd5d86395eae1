import type { EntityManager, Opt } from '@mikro-orm/postgresql';

/** Fields of an entity as a statement answers them: null where the column is, never left out. */
export type RowOf<Entity, Field extends keyof Entity> = { [Name in Field]-?: Value<Exclude<Entity[Name], undefined>> };
/** The ORM marks what has a default. */
type Value<Stored> = Stored extends Opt<infer Plain> ? Plain : Stored;

/** What a column is called in our code: `date_expiration` is `dateExpiration`. */
export const fieldOf = (column: string): string => column.replaceAll(/_([a-z0-9])/g, (_, first: string) => first.toUpperCase());

/** Rows of these fields. Nobody checks that they are a `Row`: whoever writes the statement says so. */
export const rowsOf = <Row extends object>(fields: readonly string[], rows: readonly unknown[][]): Row[] =>
  rows.map((values) => {
    const row: Record<string, unknown> = {};
    fields.forEach((field, index) => {
      row[field] = values[index];
    });
    return row as Row;
  });

/** Rows as JSON holds them, their fields named as the columns are: for what leaves the house. Dates are ISO 8601. */
export async function readJsonRows(em: EntityManager, text: string, values: unknown[]): Promise<object[]> {
  const rows = await em.execute<{ row: object }[]>(`select to_jsonb(r) as row from (${text}) r`, values);
  return rows.map(({ row }) => row);
}

/** A read through the ORM: in a transaction, or planned for its values. Dates come as text, since the ORM maps them itself. */
export async function readRows<Row extends object>(em: EntityManager, text: string, values: unknown[]): Promise<Row[]> {
  const rows = await em.execute<object[]>(text, values);
  return rowsOf(Object.keys(rows[0] ?? {}).map(fieldOf), rows.map(Object.values));
}
