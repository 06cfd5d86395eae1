import { join } from 'node:path';
import { findPgbouncer, missingPgbouncer, startPgbouncer } from '../../../test/support/pgbouncer.ts';
import { testUsers } from '../../../test/support/template.ts';

/** PgBouncer in transaction mode; named statements are used if this version supports them. */
export async function pooler({ postgres, folder }: { postgres: { url: string }; folder: string }) {
  const pgbouncer = await findPgbouncer();
  if (!pgbouncer) return { missing: missingPgbouncer };
  console.log(`PgBouncer ${pgbouncer.version}`);
  const users = testUsers(postgres.url);
  const { host, close } = await startPgbouncer(pgbouncer, { server: new URL(postgres.url).host, users, folder: join(folder, 'pgbouncer') });
  return { databaseHost: host, env: { DATABASE_NAMED_STATEMENTS: pgbouncer.knowsNames ? 'on' : 'off' }, close };
}
