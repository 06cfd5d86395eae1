import type { EntityManager } from '@mikro-orm/postgresql';
import pg from 'pg';
import { connected } from './connections/connected.ts';

/** Rights of a role on tables, as GRANT names them. */
export interface Rights {
  /** Rights on every table not listed in `tables`. */
  ordinary: string;
  tables: Readonly<Record<string, string>>;
}

const id = pg.escapeIdentifier;

/** Returns the role in an address; null if it has none. */
export const roleOf = (url: string): string | null => decodeURIComponent(new URL(url).username) || new URL(url).searchParams.get('user');

/**
 * Returns the statements that give a role exactly these rights, on existing tables and on the owner's future ones, and revoke all others.
 * @param url the owner's address
 * @throws Error when `tables` names a table that does not exist
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
    // PostgreSQL looks for a name among temporary tables first, so a temporary table could hide a real one.
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
 * Grants the rights of all existing roles in one transaction. Returns the names of these roles.
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
 * Creates a role with no right but to sign in, unless it exists. Returns whether it was created.
 * @param url address of a role that may create roles
 * @param verifier the password as PostgreSQL stores it (`scramVerifier`); null: no password
 */
export const createRole = (url: string, role: string, verifier: string | null): Promise<boolean> =>
  connected(url, async (client) => {
    const { rowCount } = await client.query('select from pg_roles where rolname = $1', [role]);
    if (rowCount) return false;
    await client.query(`create role ${id(role)} login ${verifier === null ? '' : `password ${pg.escapeLiteral(verifier)}`}`);
    return true;
  });

/** Returns whether the role of this address may alter the tables: their owner, or a superuser. */
export const ownsTables = (url: string): Promise<boolean> =>
  connected(url, async (client) => {
    const { rows } = await client.query<{ owns: boolean }>(
      `select exists (select from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace and pg_has_role(relowner, 'usage')) as owns`,
    );
    return rows[0]?.owns ?? false;
  });

/**
 * Returns the names of the tables on which a role lacks some of these rights.
 * @throws Error `42704` when the role does not exist
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
