import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { promisify } from 'node:util';
import pg from 'pg';

/**
 * Dumps and restores a database as pg_dump and pg_restore do, also when these are missing or older than the server, which they refuse.
 * PostgreSQL generates each statement from its catalogue without a search_path, so that all names have their schema. The statements run in
 * pg_dump's order in a session configured like pg_restore's. A function body that uses a name without its schema therefore fails here as in
 * a real restoration.
 */

/** Session settings of dump and restoration, from the start of pg_dump's files. */
const session = `
  select pg_catalog.set_config('search_path', '', false);
  set check_function_bodies = false; set client_min_messages = warning; set row_security = off; set standard_conforming_strings = on;`;

const ourSchemas = `(select oid from pg_namespace where nspname <> 'information_schema' and nspname !~ '^pg_')`;
const fromExtension = (catalogue: string, row: string) =>
  `exists (select from pg_depend e where e.classid = '${catalogue}'::regclass and e.objid = ${row}.oid and e.deptype = 'e')`;
const ours = (catalogue: string, row: string, schema: string) =>
  `${row}.${schema} in ${ourSchemas} and not ${fromExtension(catalogue, row)}`;

/** Queries for statements that run before the rows are copied, in pg_dump's order; each returns a column `statement`. */
const before = [
  `select format('create extension %I schema %I', extname, nspname) as statement
   from pg_extension join pg_namespace n on n.oid = extnamespace where extname <> 'plpgsql' order by extname`,
  // Ordered by the dependencies in the catalogue, which has none for function bodies stored as text.
  `with recursive needed as (
     select oid, 0 as depth from pg_proc f where ${ours('pg_proc', 'f', 'pronamespace')}
     union select d.objid, needed.depth + 1 from needed
     join pg_depend d on d.refobjid = needed.oid and d.refclassid = 'pg_proc'::regclass and d.classid = 'pg_proc'::regclass and d.objid <> d.refobjid)
   select pg_get_functiondef(oid) as statement from needed group by oid order by max(depth), oid::regprocedure::text`,
  `select format('create text search configuration %s (parser = %I.%I)', c.oid::regconfig, n.nspname, p.prsname) as statement
   from pg_ts_config c join pg_ts_parser p on p.oid = cfgparser join pg_namespace n on n.oid = prsnamespace
   where ${ours('pg_ts_config', 'c', 'cfgnamespace')} order by cfgname`,
  `select format('alter text search configuration %s add mapping for %I with %s', c.oid::regconfig, token.alias,
                 string_agg(m.mapdict::regdictionary::text, ', ' order by m.mapseqno)) as statement
   from pg_ts_config c join pg_ts_config_map m on m.mapcfg = c.oid, ts_token_type(c.cfgparser) token
   where token.tokid = m.maptokentype and ${ours('pg_ts_config', 'c', 'cfgnamespace')} group by c.oid, token.alias, token.tokid order by c.oid, token.tokid`,
  `select format('create sequence %s as %s start %s increment %s minvalue %s maxvalue %s cache %s %s', c.oid::regclass, seqtypid::regtype, seqstart, seqincrement,
                 seqmin, seqmax, seqcache, case when seqcycle then 'cycle' else 'no cycle' end) as statement
   from pg_sequence join pg_class c on c.oid = seqrelid where ${ours('pg_class', 'c', 'relnamespace')} order by c.oid::regclass::text`,
  `select format('create table %s (%s)', c.oid::regclass, concat_ws(', ',
     (select string_agg(concat_ws(' ', quote_ident(attname), format_type(atttypid, atttypmod),
              case when attcollation <> typcollation then 'collate ' || attcollation::regcollation end,
              case attgenerated when 's' then format('generated always as (%s) stored', pg_get_expr(adbin, adrelid))
                                else 'default ' || pg_get_expr(adbin, adrelid) end), ', ' order by attnum)
      from pg_attribute join pg_type t on t.oid = atttypid left join pg_attrdef on adrelid = attrelid and adnum = attnum
      where attrelid = c.oid and attnum > 0 and not attisdropped),
     (select string_agg(format('constraint %I %s', conname, pg_get_constraintdef(oid)), ', ' order by conname)
      from pg_constraint where conrelid = c.oid and contype in ('c', 'n')))) as statement
   from pg_class c where relkind = 'r' and ${ours('pg_class', 'c', 'relnamespace')} order by c.oid::regclass::text`,
  `select format('alter sequence %s owned by %s.%I', c.oid::regclass, refobjid::regclass, attname) as statement
   from pg_class c join pg_depend d on d.objid = c.oid and d.classid = 'pg_class'::regclass and d.deptype = 'a'
   join pg_attribute on attrelid = refobjid and attnum = refobjsubid where relkind = 'S' and ${ours('pg_class', 'c', 'relnamespace')} order by c.oid::regclass::text`,
];

/** Statements that run after the rows are copied, so that triggers and foreign keys do not check them. */
const after = [
  `select format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(c.oid)) as statement
   from pg_constraint c where contype in ('p', 'u', 'x') and connamespace in ${ourSchemas} order by conrelid::regclass::text, conname`,
  `select pg_get_indexdef(indexrelid) as statement from pg_index join pg_class c on c.oid = indexrelid
   where c.relnamespace in ${ourSchemas} and not exists (select from pg_constraint where conindid = indexrelid) order by c.oid::regclass::text`,
  `select pg_get_triggerdef(g.oid) as statement from pg_trigger g join pg_class c on c.oid = tgrelid
   where not tgisinternal and ${ours('pg_class', 'c', 'relnamespace')} order by c.oid::regclass::text, tgname`,
  `select format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(c.oid)) as statement
   from pg_constraint c where contype = 'f' and connamespace in ${ourSchemas} order by conrelid::regclass::text, conname`,
];

/**
 * All objects in our schemas, including kinds that the queries above do not dump. Privileges belong to the installation and are not part of
 * a backup.
 */
const inventory = `
  select pg_describe_object(classid, objid, objsubid) as statement from pg_depend
  where refclassid = 'pg_namespace'::regclass and refobjid in ${ourSchemas} and classid <> 'pg_default_acl'::regclass order by 1`;

interface Table {
  name: string;
  /** Columns to copy, without generated columns. */
  columns: string[];
}

const tables = `
  select c.oid::regclass::text as name, array_agg(attname::text order by attnum) as columns
  from pg_class c join pg_attribute on attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = ''
  where relkind = 'r' and ${ours('pg_class', 'c', 'relnamespace')} group by c.oid order by 1`;

/** Runs `work` in a session like the restoration's, in which names are not found without their schema. */
export async function withoutSearchPath<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query(session);
    return await work(client);
  } finally {
    await client.end();
  }
}

const statements = async (client: pg.Client, queries: readonly string[]): Promise<string[]> => {
  const all: string[] = [];
  for (const query of queries) all.push(...(await client.query<{ statement: string }>(query)).rows.map(({ statement }) => statement));
  return all;
};

/**
 * Copies a database into an empty one with the statements of its catalogue.
 * @throws Error from PostgreSQL when a statement or a row cannot be restored
 */
export async function restoreFromCatalogue(from: string, to: string): Promise<void> {
  await withoutSearchPath(from, (source) =>
    withoutSearchPath(to, async (target) => {
      for (const statement of await statements(source, before)) await target.query(statement);
      for (const { name, columns } of (await source.query<Table>(tables)).rows) {
        const { rows } = await source.query<{ row: string }>(`select t::text as row from ${name} t`);
        // Like COPY: each value is parsed from its type's text representation.
        const list = columns.map((column) => pg.escapeIdentifier(column));
        await target.query(
          `insert into ${name} (${list}) select ${list.map((column) => `(r).${column}`)} from (select unnest($1::text[])::${name} as r) rows`,
          [rows.map(({ row }) => row)],
        );
      }
      const sequences = `select format('select setval(%L, %s)', format('%I.%I', schemaname, sequencename), last_value) as statement
                         from pg_sequences where last_value is not null`;
      for (const statement of await statements(source, [sequences])) await target.query(statement);
      for (const statement of await statements(source, after)) await target.query(statement);
    }),
  );
}

/** Returns the newest installed PostgreSQL tools that can dump this server; null when they are missing or older than the server. */
export async function findDumpTools(url: string): Promise<{ dump: string; restore: string } | null> {
  const server = await withoutSearchPath(url, async (client) => {
    return Number((await client.query<{ version: string }>(`select current_setting('server_version_num') as version`)).rows[0]?.version);
  });
  const folders = ['', ...globSync('/usr/lib/postgresql/*/bin/').map((folder) => `${folder.replace(/\/$/, '')}/`)];
  for (const folder of folders) {
    const said = await promisify(execFile)(`${folder}pg_dump`, ['--version']).catch(() => ({ stdout: '' }));
    if (Number(/\) (\d+)/.exec(said.stdout)?.[1]) >= Math.floor(server / 10_000)) {
      return { dump: `${folder}pg_dump`, restore: `${folder}pg_restore` };
    }
  }
  return null;
}

/** Returns each table's row count and a checksum of its rows, generated columns included; and each sequence's last value. */
export function contentsOf(url: string): Promise<Record<string, { rows: number; sum: string | null }>> {
  return withoutSearchPath(url, async (client) => {
    const contents: Record<string, { rows: number; sum: string | null }> = {};
    for (const { name } of (await client.query<Table>(tables)).rows) {
      const { rows } = await client.query(
        `select count(*)::int as rows, md5(string_agg(t::text, E'\\n' order by t::text collate "C")) as sum from ${name} t`,
      );
      contents[name] = rows[0];
    }
    const { rows } = await client.query<{ name: string; at: string }>(
      `select format('%I.%I', schemaname, sequencename) as name, last_value::text as at from pg_sequences`,
    );
    for (const { name, at } of rows) contents[name] = { rows: 0, sum: at };
    return contents;
  });
}

/** Returns the definitions of all our objects as PostgreSQL writes them, and the names of objects of other kinds. */
export const definitionsOf = (url: string): Promise<string[]> =>
  withoutSearchPath(url, (client) => statements(client, [...before, ...after, inventory]));
