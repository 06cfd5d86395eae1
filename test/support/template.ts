import { migrateDatabase } from '../../src/migrations.ts';
import { sql } from './sql.ts';

/** The migrated, empty database that every test's own is a copy of. */
export const TEMPLATE = 'prepa_template';

/** The address of another database on the same server. */
export function onServer(url: string, database: string): string {
  return Object.assign(new URL(url), { pathname: `/${database}` }).href;
}

/** Nobody may connect to the template afterwards: PostgreSQL refuses to copy a database in use. */
export async function createTemplate(url: string): Promise<void> {
  await sql(url, `create database ${TEMPLATE}`);
  await migrateDatabase(onServer(url, TEMPLATE));
  await sql(url, `alter database ${TEMPLATE} with allow_connections false`);
}
