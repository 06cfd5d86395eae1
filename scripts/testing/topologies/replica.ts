import { join } from 'node:path';
import { startStreamingStandby } from '../../../test/support/replication/streaming-standby.ts';
import { sql } from '../../../test/support/sql.ts';
import { asRole } from '../../../test/support/template.ts';

/** Delay with which the standby shows commits: longer than the time from a change to the request that must see it. */
const delay = '150ms';
/** Largest lag that sites accept, in ms. A busy machine adds to the delay. */
const maxLagMs = 2_000;

/**
 * A streaming standby with a short delay, from which every site reads where stale data is allowed. Writes of a test, as the owner or with a
 * command, are on the standby before the test continues (`remote_apply`; `askingLate` for what factories write as the site), as if they
 * were old. Writes of the site itself are not.
 */
export async function replica({ postgres, folder }: { postgres: { url: string }; folder: string }) {
  const [settings] = await sql<{ connections: string }>(postgres.url, "select current_setting('max_connections') as connections");
  const standby = await startStreamingStandby(
    { url: postgres.url, dataDir: folder },
    {
      dataDir: join(folder, 'replica'),
      settings: { max_connections: settings?.connections ?? '', recovery_min_apply_delay: delay },
    },
  );
  for (const statement of [
    "alter system set synchronous_standby_names = '*'",
    // Without fsync the WAL writer decides when WAL is written, and only written WAL is sent.
    "alter system set wal_writer_delay = '10ms'",
    // Limited because the run's folder may be in memory.
    "alter system set max_slot_wal_keep_size = '1GB'",
    'select pg_reload_conf()',
    ...['prepa', 'prepa_commands'].map((role) => `alter role ${role} set synchronous_commit = 'remote_apply'`),
  ])
    await sql(postgres.url, statement);
  return {
    databaseHost: null,
    env: {
      DATABASE_REPLICA_URLS: standby.at(asRole(postgres.url, 'web')).replace(/\/[^/]*$/, '/{database}'),
      DATABASE_REPLICA_MAX_LAG_MS: String(maxLagMs),
    },
    async close() {
      // Commits must not wait for the standby any more.
      await sql(postgres.url, "alter system set synchronous_standby_names = ''");
      await sql(postgres.url, 'select pg_reload_conf()');
      await standby.close();
    },
  };
}
