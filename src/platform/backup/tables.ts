import pg from 'pg';
import { to } from 'pg-copy-streams';
import type { Manifest, TableEntry } from './manifest.ts';

/** Size of a table's part before compression, in bytes (more only for a longer row). It limits the memory of backups and restores. */
const partBytes = 4 * 1024 * 1024;
const lineEnd = 10;

export type Table = Pick<TableEntry, 'name' | 'columns'>;

const name = pg.escapeIdentifier;
export const copyTarget = ({ name: table, columns }: Table): string =>
  `${name(table)} (${columns.map((column) => name(column.name)).join(', ')})`;

/** Returns all tables of the current schema with their writable columns; generated columns are computed again. */
export async function listTables(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select c.relname as name, json_agg(json_build_object('name', attname, 'type', format_type(atttypid, atttypmod)) order by attnum) as columns
     from pg_class c join pg_attribute on attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = ''
     where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace
       and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = c.oid and deptype = 'e')
     group by c.relname order by c.relname collate "C"`,
  );
  return rows;
}

/**
 * Returns the sequences' current values. They are not part of the snapshot; a later value leaves a gap, an earlier one would repeat ids.
 */
export async function listSequences(client: pg.Client): Promise<Manifest['sequences']> {
  const { rows: sequences } = await client.query<{ name: string }>(
    `select sequencename as name from pg_sequences where schemaname = current_schema() order by sequencename collate "C"`,
  );
  if (sequences.length === 0) return [];
  const each = sequences.map(
    (sequence) =>
      `select ${pg.escapeLiteral(sequence.name)} as name, last_value::text as value, is_called as called from ${name(sequence.name)}`,
  );
  return (await client.query<Manifest['sequences'][number]>(each.join(' union all '))).rows;
}

/** Yields the rows of a table as COPY writes them, in physical order, in parts that end with a complete row. */
export async function* copyOut(client: pg.Client, table: Table): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of client.query(to(`copy ${copyTarget(table)} to stdout`))) {
    waiting.push(chunk);
    bytes += chunk.length;
    if (bytes < partBytes || !chunk.includes(lineEnd)) continue;
    const all = Buffer.concat(waiting);
    const end = all.lastIndexOf(lineEnd) + 1;
    yield all.subarray(0, end);
    waiting = end === all.length ? [] : [all.subarray(end)];
    bytes = all.length - end;
  }
  if (bytes > 0) yield Buffer.concat(waiting);
}

/** Returns the number of rows in COPY's text, in which a line break inside a value is escaped. */
export function rowsIn(lines: Buffer): number {
  let rows = 0;
  for (let at = lines.indexOf(lineEnd); at !== -1; at = lines.indexOf(lineEnd, at + 1)) rows += 1;
  return rows;
}
