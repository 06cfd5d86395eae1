import type { Config } from '../settings/config.ts';

/**
 * Returns the database's address for this kind of work: from the settings, or of the embedded PostgreSQL in the data folder, which has one
 * role for all work and is started if it is not running.
 */
export async function openDatabaseServer(config: Config, work: 'site' | 'commands' | 'migrations' = 'site') {
  const { databaseUrl, commandsDatabaseUrl, migrationsDatabaseUrl } = config;
  const url = { site: null, commands: commandsDatabaseUrl, migrations: migrationsDatabaseUrl }[work] ?? databaseUrl;
  if (url) return { url, close: async () => {} };
  const { openEmbeddedPostgres } = await import('./embedded-postgres/embedded-postgres.ts');
  return openEmbeddedPostgres({ dataDir: config.dataDir });
}
