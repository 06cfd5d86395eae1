import { loadConfig } from '../../src/config.ts';
import { createNamedRoles, grantToNamedRoles } from '../../src/database-roles.ts';
import { migrateDatabase } from '../../src/migrations.ts';
import { leave, sql } from './sql.ts';

/** The migrated, empty database that every test's own is a copy of. */
export const TEMPLATE = 'prepa_template';

/** The address of another database on the same server. */
export function onServer(url: string, database: string): string {
  return Object.assign(new URL(url), { pathname: `/${database}` }).href;
}

/** As whom the site and its commands work on a database of the tests: with no more rights than they have in production. */
export type TestRole = 'web' | 'commands';
const passwords: Record<TestRole, string> = { web: 'Jf5wq0ZbK3yXr7Nd', commands: 'Tz8cLp2VhG6mQe4S' };

/** The same database's address for one of these roles. */
export function asRole(url: string, role: TestRole): string {
  return Object.assign(new URL(url), { username: `prepa_${role}`, password: passwords[role] }).href;
}

/** Who may sign in to the tests' server, with their passwords. @param url its own address */
export function testUsers(url: string): Record<string, string> {
  const { username, password } = new URL(url);
  return { [username]: password, ...Object.fromEntries(Object.entries(passwords).map(([role, own]) => [`prepa_${role}`, own])) };
}

/** Nobody may connect to the template afterwards: PostgreSQL refuses to copy a database in use. */
export async function createTemplate(url: string): Promise<void> {
  await sql(url, `create database ${TEMPLATE}`);
  const template = onServer(url, TEMPLATE);
  await migrateDatabase(template);
  const config = loadConfig({ DATABASE_URL: asRole(template, 'web'), COMMANDS_DATABASE_URL: asRole(template, 'commands') }, 'commands');
  await createNamedRoles(config, template);
  // Who guesses passwords is no matter here, and each connection would take 2 ms longer.
  for (const [role, password] of Object.entries(passwords))
    await sql(template, `set scram_iterations = 1; alter role prepa_${role} password '${password}'`);
  await grantToNamedRoles(config, template);
  await leave(template);
  await sql(url, `alter database ${TEMPLATE} with allow_connections false`);
}
