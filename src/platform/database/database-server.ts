import type { Config } from '../settings/config.ts';

/**
 * Where the database answers those who do this work: as the settings say, or the embedded PostgreSQL in the data folder, which has one role
 * for everybody and is started when it does not run already.
 */
export async function openDatabaseServer(config: Config, work: 'site' | 'commands' | 'migrations' = 'site') {
  const { databaseUrl, commandsDatabaseUrl, migrationsDatabaseUrl } = config;
  const url = { site: null, commands: commandsDatabaseUrl, migrations: migrationsDatabaseUrl }[work] ?? databaseUrl;
  if (url) return { url, close: async () => {} };
  const { openEmbeddedPostgres } = await import('./embedded-postgres/embedded-postgres.ts');
  return openEmbeddedPostgres({ dataDir: config.dataDir });
}
