import { writeFileSync } from 'node:fs';
import { connected } from '../../src/platform/database/connections/connected.ts';

/** Makes PostgreSQL record each statement once per database, with its constants replaced, including those inside functions. */
export const recordingSettings = {
  shared_preload_libraries: 'pg_stat_statements',
  'pg_stat_statements.max': '200000',
  'pg_stat_statements.track': 'all',
  'pg_stat_statements.track_utility': 'off',
};

export const startRecording = (url: string): Promise<unknown> =>
  connected(url, (client) => client.query('create extension if not exists pg_stat_statements'));

/** Writes the statements of the site's roles as JSON, each text once. The owner's statements are those of migrations and tests. */
export async function writeRecorded(url: string, file: string): Promise<void> {
  await connected(url, async (client) => {
    const { rows } = await client.query<{ text: string }>(
      `select distinct query as text from pg_stat_statements join pg_roles r on r.oid = userid
       where rolname in ('prepa_web', 'prepa_commands') and query ~* '^\\s*(with|select|insert|update|delete)' order by 1`,
    );
    writeFileSync(
      file,
      JSON.stringify(
        rows.map(({ text }) => text),
        null,
        1,
      ),
    );
    console.log(`${rows.length} statements in ${file}`);
  });
}
