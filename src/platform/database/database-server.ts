import type { Config } from '../settings/config.ts';

/** `DATABASE_URL`, or the embedded PostgreSQL in the data folder, started when it does not run already. */
export async function openDatabaseServer(config: Config) {
  if (config.databaseUrl) return { url: config.databaseUrl, close: async () => {} };
  const { openEmbeddedPostgres } = await import('./embedded-postgres/embedded-postgres.ts');
  return openEmbeddedPostgres({ dataDir: config.dataDir });
}
