import type { Config } from '../settings/config.ts';

interface DatabaseServer {
  url: string;
  close(): Promise<void>;
}

/** `DATABASE_URL`, or the embedded PostgreSQL in the data folder, started when it does not run already. */
export async function openDatabaseServer(config: Config): Promise<DatabaseServer> {
  if (config.databaseUrl) return { url: config.databaseUrl, close: async () => {} };
  const { openEmbeddedPostgres } = await import('./embedded-postgres/embedded-postgres.ts');
  return openEmbeddedPostgres({ dataDir: config.dataDir });
}
