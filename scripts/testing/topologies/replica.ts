import { join } from 'node:path';
import { startStreamingStandby } from '../../../test/support/replication/streaming-standby.ts';
import { sql } from '../../../test/support/sql.ts';
import { asRole } from '../../../test/support/template.ts';

/** The standby shows what was committed so much later: longer than from a change to the request that must see it. */
const delay = '150ms';
/** What sites take, in ms. A busy machine adds to the delay. */
const maxLagMs = 2_000;

/**
 * A streaming standby that is a little late, from which every site reads what may be so. What a test itself writes, as the owner or with a command, has arrived there
 * before it goes on (`remote_apply`, and `askingLate` for what factories write as the site): the world has been like that for long. What the site writes has not.
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
    // Without fsync nothing is written sooner by itself, and only what is written is sent.
    "alter system set wal_writer_delay = '10ms'",
    // The run's folder may lie in memory.
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
      // Nobody waits for it any more.
      await sql(postgres.url, "alter system set synchronous_standby_names = ''");
      await sql(postgres.url, 'select pg_reload_conf()');
      await standby.close();
    },
  };
}
