import pg from 'pg';
import { connected } from './connected.ts';

/**
 * Settings that keep values and statements out of PostgreSQL's log: messages, details and statements quote e-mail addresses, password
 * hashes and texts. The site logs its own errors without them. The first setting covers slow statements and auto_explain too; the others
 * apply where it is changed.
 */
export const quietLog = {
  log_min_messages: 'fatal',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_parameter_max_length: '0',
  log_parameter_max_length_on_error: '0',
} as const;

const names = Object.keys(quietLog);
const id = pg.escapeIdentifier;

/** Returns the statements that set these settings for a role. */
export const quietStatements = (role: string): string[] =>
  Object.entries(quietLog).map(([name, value]) => `alter role ${id(role)} set ${name} = ${pg.escapeLiteral(value)}`);

/** Returns the statement by which a superuser permits a role to set these settings. */
export const quietPermission = (role: string): string => `grant set on parameter ${names.join(', ')} to ${id(role)}`;

/** Returns the names of these settings that a session of this address does not have. */
export const loudSettings = (url: string): Promise<string[]> =>
  connected(url, async (client) => {
    const { rows } = await client.query<{ name: string; setting: string }>('select name, setting from pg_settings where name = any($1)', [
      names,
    ]);
    return wrong(new Map(rows.map(({ name, setting }) => [name, setting])));
  });

/**
 * Sets these settings for the owner and the given roles, for new sessions. Skips roles that have them already, and does nothing if the
 * server has them all.
 * @param url the owner's address
 * @returns the roles whose settings the owner may not change
 */
export const quietRoles = (url: string, roles: readonly string[]): Promise<string[]> =>
  connected(url, async (client) => {
    // The server's settings, not those of this session's role.
    const { rows: server } = await client.query<{ name: string; setting: string }>(
      `select name, setting from pg_settings where name = any($1) and source not in ('user', 'database user')`,
      [names],
    );
    if (wrong(new Map(server.map(({ name, setting }) => [name, setting]))).length === 0) return [];
    await client.query('begin');
    await client.query(`select pg_advisory_xact_lock(hashtextextended('database roles', 0))`);
    const { rows } = await client.query<{ role: string; settings: string[] | null }>(
      'select rolname as role, rolconfig as settings from pg_roles where rolname = any($1::text[] || current_user::text)',
      [roles],
    );
    const refused: string[] = [];
    for (const { role, settings } of rows) {
      if (wrong(new Map((settings ?? []).map((setting) => setting.split('=') as [string, string]))).length === 0) continue;
      await client.query('savepoint role');
      try {
        for (const statement of quietStatements(role)) await client.query(statement);
      } catch (error) {
        if ((error as { code?: string }).code !== '42501') throw error;
        await client.query('rollback to savepoint role');
        refused.push(role);
      }
    }
    await client.query('commit');
    return refused;
  });

const wrong = (settings: ReadonlyMap<string, string>): string[] =>
  Object.entries(quietLog).flatMap(([name, value]) => (settings.get(name) === value ? [] : [name]));
