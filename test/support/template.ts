import { loadConfig } from '../../src/config.ts';
import { createNamedRoles, grantToNamedRoles } from '../../src/database-roles.ts';
import { migrateDatabase } from '../../src/migrations.ts';
import { leave, sql } from './sql.ts';

/** The migrated, empty database that every test database is copied from. */
export const TEMPLATE = 'prepa_template';

/** Returns the URL of another database on the same server. */
export function onServer(url: string, database: string): string {
  return Object.assign(new URL(url), { pathname: `/${database}` }).href;
}

/** The database roles of the site and its commands in tests; they have the same privileges as in production. */
export type TestRole = 'web' | 'commands';
const passwords: Record<TestRole, string> = { web: 'Jf5wq0ZbK3yXr7Nd', commands: 'Tz8cLp2VhG6mQe4S' };

/** Returns the database's URL with one of these roles. */
export function asRole(url: string, role: TestRole): string {
  return Object.assign(new URL(url), { username: `prepa_${role}`, password: passwords[role] }).href;
}

/** Returns the users of the tests' server and their passwords. @param url the server's URL */
export function testUsers(url: string): Record<string, string> {
  const { username, password } = new URL(url);
  return { [username]: password, ...Object.fromEntries(Object.entries(passwords).map(([role, own]) => [`prepa_${role}`, own])) };
}

/** Creates the template. It accepts no connections afterwards, because PostgreSQL does not copy a database in use. */
export async function createTemplate(url: string): Promise<void> {
  await sql(url, `create database ${TEMPLATE}`);
  const template = onServer(url, TEMPLATE);
  await migrateDatabase(template);
  const config = loadConfig({ DATABASE_URL: asRole(template, 'web'), COMMANDS_DATABASE_URL: asRole(template, 'commands') }, 'commands');
  await createNamedRoles(config, template);
  // Password strength does not matter in tests, and more iterations would slow each connection by 2 ms.
  for (const [role, password] of Object.entries(passwords))
    await sql(template, `set scram_iterations = 1; alter role prepa_${role} password '${password}'`);
  await grantToNamedRoles(config, template);
  await leave(template);
  await sql(url, `alter database ${TEMPLATE} with allow_connections false`);
}
