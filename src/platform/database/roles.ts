import type { EntityManager } from '@mikro-orm/postgresql';
import pg from 'pg';
import { connected } from './connections/connected.ts';

/** What a role may do with tables, as GRANT names it. */
export interface Rights {
  /** With every table that is not named. */
  ordinary: string;
  tables: Readonly<Record<string, string>>;
}

const id = pg.escapeIdentifier;

/** Whose address it is; null: nobody is named. */
export const roleOf = (url: string): string | null => decodeURIComponent(new URL(url).username) || new URL(url).searchParams.get('user');

/**
 * What gives a role exactly these rights on the tables that are there and on those that the owner makes later, and takes away what it had beside them.
 * @param url the owner's address
 * @throws Error when a right is for a table that is not there
 */
export const rightsStatements = (url: string, role: string, rights: Rights): Promise<string[]> =>
  connected(url, async (client) => statementsFor(client, role, rights));

async function statementsFor(client: pg.Client, role: string, { ordinary, tables }: Rights): Promise<string[]> {
  const { rows } = await client.query<{ database: string; schema: string; names: string[] }>(
    `select current_database() as database, current_schema() as schema,
       array(select relname::text from pg_class where relkind in ('r', 'p') and relnamespace = current_schema()::regnamespace order by 1) as names`,
  );
  const { database = '', schema = '', names = [] } = rows[0] ?? {};
  const unknown = Object.keys(tables).filter((name) => !names.includes(name));
  if (unknown.length > 0) throw new Error(`no table ${unknown.join(', ')}`);
  const byRights = Map.groupBy(names, (name) => tables[name] ?? ordinary);
  const [to, inSchema] = [id(role), `in schema ${id(schema)}`];
  return [
    `revoke create on schema ${id(schema)} from public`,
    // A temporary table is found before any other of its name.
    `revoke temporary on database ${id(database)} from public`,
    `grant connect on database ${id(database)} to ${to}`,
    `grant usage on schema ${id(schema)} to ${to}`,
    `revoke all on all tables ${inSchema} from ${to}`,
    ...[...byRights].map(([granted, of]) => `grant ${granted} on ${of.map(id).join(', ')} to ${to}`),
    `revoke all on all sequences ${inSchema} from ${to}`,
    `grant usage, select on all sequences ${inSchema} to ${to}`,
    `alter default privileges ${inSchema} grant ${ordinary} on tables to ${to}`,
    `alter default privileges ${inSchema} grant usage, select on sequences to ${to}`,
  ];
}

/**
 * Gives roles that are there their rights, all at once; what they had before holds until then. Answers the names of those that are there.
 * @param url the owner's address
 */
export const grantRights = (url: string, roles: readonly { role: string; rights: Rights }[]): Promise<string[]> =>
  connected(url, async (client) => {
    await client.query('begin');
    await client.query(`select pg_advisory_xact_lock(hashtextextended('database roles', 0))`);
    const { rows } = await client.query<{ rolname: string }>('select rolname from pg_roles where rolname = any($1)', [
      roles.map(({ role }) => role),
    ]);
    const there = new Set(rows.map(({ rolname }) => rolname));
    const given = roles.filter(({ role }) => there.has(role));
    for (const { role, rights } of given) for (const statement of await statementsFor(client, role, rights)) await client.query(statement);
    await client.query('commit');
    return given.map(({ role }) => role);
  });

/**
 * Makes a role that can sign in and nothing else, unless it is there. Answers whether it was made.
 * @param url the address of somebody who may make roles
 * @param verifier what PostgreSQL keeps of the password (`scramVerifier`); null: it signs in without one
 */
export const createRole = (url: string, role: string, verifier: string | null): Promise<boolean> =>
  connected(url, async (client) => {
    const { rowCount } = await client.query('select from pg_roles where rolname = $1', [role]);
    if (rowCount) return false;
    await client.query(`create role ${id(role)} login ${verifier === null ? '' : `password ${pg.escapeLiteral(verifier)}`}`);
    return true;
  });

/** Whether who signs in with this address may change the tables themselves: their owner, or a superuser. */
export const ownsTables = (url: string): Promise<boolean> =>
  connected(url, async (client) => {
    const { rows } = await client.query<{ owns: boolean }>(
      `select exists (select from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace and pg_has_role(relowner, 'usage')) as owns`,
    );
    return rows[0]?.owns ?? false;
  });

/**
 * The tables on which a role has not all of these rights, by name.
 * @throws Error `42704` when there is no such role
 */
export async function missingRights(em: EntityManager, role: string, { ordinary, tables }: Rights): Promise<string[]> {
  const rows = await em.execute<{ name: string }[]>(
    `select relname as name from pg_class cross join lateral regexp_split_to_table(coalesce(?::jsonb ->> relname, ?), ', ') as needed
     where relkind in ('r', 'p') and relnamespace = current_schema()::regnamespace and not has_table_privilege(?, pg_class.oid, needed)
     group by relname order by relname`,
    [JSON.stringify(tables), ordinary, role],
  );
  return rows.map(({ name }) => name);
}
