import type pg from 'pg';
import { byLearner, everywhere } from './distribution.ts';

/** A constraint, trigger or statement that one shard could not evaluate alone. */
export interface Crossing {
  /** The name in docs/growth.md. */
  name: string;
  why: string;
}

interface Row {
  name: string;
  table: string;
  columns: string[];
  other: string | null;
  otherColumns: string[] | null;
}

/** Returns the constraints and triggers of the tables that would cross shards, by name. */
export async function crossingConstraints(client: pg.Client): Promise<Crossing[]> {
  return [...(await uniques(client)), ...(await foreignKeys(client)), ...(await triggers(client))];
}

const isByLearner = (table: string): boolean => table in byLearner;
const columnOf = (table: string): string | null => byLearner[table] ?? null;

async function uniques(client: pg.Client): Promise<Crossing[]> {
  // Index columns that are expressions, such as a lowercased name, have the number 0 and no name.
  const { rows } = await client.query<Row>(
    `select i.relname::text as name, t.relname::text as table,
       array(select coalesce(a.attname::text, '') from unnest(x.indkey::int2[]) as k(n) left join pg_attribute a on a.attrelid = t.oid and a.attnum = k.n and k.n > 0) as columns
     from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
     where x.indisunique and t.relnamespace = current_schema()::regnamespace order by 1`,
  );
  return rows
    .filter(({ table, columns }) => isByLearner(table) && !columns.includes(columnOf(table) ?? '-'))
    .map(({ name, table, columns }) => ({
      name,
      why: `unique over ${table} by ${columns.filter(Boolean).join(', ') || 'an expression'}, without whose it is`,
    }));
}

async function foreignKeys(client: pg.Client): Promise<Crossing[]> {
  const { rows } = await client.query<Row>(
    `select conname::text as name, conrelid::regclass::text as table, confrelid::regclass::text as other,
       array(select attname::text from unnest(conkey) with ordinality as k(n, place) join pg_attribute on attrelid = conrelid and attnum = k.n order by place) as columns,
       array(select attname::text from unnest(confkey) with ordinality as k(n, place) join pg_attribute on attrelid = confrelid and attnum = k.n order by place) as "otherColumns"
     from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace order by 1`,
  );
  return rows.flatMap(({ name, table, columns, other, otherColumns }) => {
    if (other === null || everywhere.has(other)) return [];
    if (!isByLearner(table) && !isByLearner(other)) return [];
    if (isByLearner(table) && !isByLearner(other)) return [{ name, why: `${table} would refer to ${other}, which stands in one place` }];
    if (!isByLearner(table))
      return [
        {
          name,
          why: `${table}, which stands ${everywhere.has(table) ? 'everywhere' : 'in one place'}, would refer to rows of learners (${other})`,
        },
      ];
    const [whose, theirs] = [columnOf(table), columnOf(other)];
    const isTogether =
      whose !== null && theirs !== null && columns.some((column, place) => column === whose && otherColumns?.[place] === theirs);
    return isTogether ? [] : [{ name, why: `${table} refers to ${other} without saying whose it is` }];
  });
}

/** A trigger on a learner's rows runs on the learner's shard; tables on other machines are not available to its function. */
async function triggers(client: pg.Client): Promise<Crossing[]> {
  const { rows } = await client.query<{ name: string; table: string; body: string; transition: boolean }>(
    `select tgname::text as name, tgrelid::regclass::text as table, prosrc as body, (tgoldtable is not null or tgnewtable is not null) as transition
     from pg_trigger join pg_proc p on p.oid = tgfoid join pg_class t on t.oid = tgrelid
     where not tgisinternal and t.relnamespace = current_schema()::regnamespace order by 1`,
  );
  const bodies = await functionBodies(client);
  const { rows: tables } = await client.query<{ name: string }>(
    "select relname::text as name from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace",
  );
  const isTable = new Set(tables.map(({ name: table }) => table));
  return rows
    .filter(({ table }) => isByLearner(table))
    .flatMap(({ name, table, body }) => {
      const written = new Set([
        ...tablesWritten(body),
        ...Object.entries(bodies)
          .filter(([called]) => body.includes(`${called}(`))
          .flatMap(([, text]) => tablesWritten(text)),
      ]);
      const outside = [...written].filter((other) => isTable.has(other) && !isByLearner(other)).sort();
      return outside.length === 0 ? [] : [{ name, why: `a change of ${table} writes ${outside.join(', ')}` }];
    });
}

async function functionBodies(client: pg.Client): Promise<Record<string, string>> {
  const { rows } = await client.query<{ name: string; body: string }>(
    `select proname::text as name, prosrc as body from pg_proc where pronamespace = current_schema()::regnamespace
     and not exists (select from pg_depend d where d.objid = pg_proc.oid and d.deptype = 'e')`,
  );
  return Object.fromEntries(rows.map(({ name, body }) => [name, body]));
}

const tablesWritten = (body: string): string[] =>
  Array.from(body.matchAll(/\b(?:insert\s+into|update|delete\s+from)\s+(?:public\.)?(\w+)/gi), ([, table = '']) => table.toLowerCase());
