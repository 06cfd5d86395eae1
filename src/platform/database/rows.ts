import type { EntityManager, Opt } from '@mikro-orm/postgresql';

/** Fields of an entity as a statement returns them: null for a null column, never missing. */
export type RowOf<Entity, Field extends keyof Entity> = { [Name in Field]-?: Value<Exclude<Entity[Name], undefined>> };
/** Removes the ORM's `Opt` marker of fields with a default. */
type Value<Stored> = Stored extends Opt<infer Plain> ? Plain : Stored;

/** Returns the field name of a column: `date_expiration` becomes `dateExpiration`. */
export const fieldOf = (column: string): string => column.replaceAll(/_([a-z0-9])/g, (_, first: string) => first.toUpperCase());

/** Returns rows as objects with these fields. Nothing checks that they match `Row`: the author of the statement is responsible. */
export const rowsOf = <Row extends object>(fields: readonly string[], rows: readonly unknown[][]): Row[] =>
  rows.map((values) => {
    const row: Record<string, unknown> = {};
    fields.forEach((field, index) => {
      row[field] = values[index];
    });
    return row as Row;
  });

/** Returns rows as JSON objects whose fields are named like the columns, for exports. Dates are ISO 8601. */
export async function readJsonRows(em: EntityManager, text: string, values: unknown[]): Promise<object[]> {
  const rows = await em.execute<{ row: object }[]>(`select to_jsonb(r) as row from (${text}) r`, values);
  return rows.map(({ row }) => row);
}

/** Reads through the ORM: inside the transaction, and planned for the given values. Dates come as text. */
export async function readRows<Row extends object>(em: EntityManager, text: string, values: unknown[]): Promise<Row[]> {
  const rows = await em.execute<object[]>(text, values);
  return rowsOf(Object.keys(rows[0] ?? {}).map(fieldOf), rows.map(Object.values));
}
