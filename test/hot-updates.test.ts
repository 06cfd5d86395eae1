import pg from 'pg';
import t from 'tap';
import { createTestDatabase } from './support/database.ts';

// Frequently updated rows should get their next version in the same page without index writes (HOT updates), according to PostgreSQL's
// counters of the transaction.

/** Frequent updates, by table. */
const changes: Record<string, string> = {
  item_reading: `update item_reading set read_at = now(), finished_at = coalesce(finished_at, now())`,
  practice: `update practice set verdict = 'reussi', marked_at = now(), times = times + 1`,
  notification: `update notification set lu = true`,
  attempt_limit: `update attempt_limit set points = points + 1`,
  known_device: `update known_device set known_at = now()`,
  payment_day_total: `update payment_day_total set received = received + 1, received_amount = received_amount + 5000`,
  payment_prepa_total: `update payment_prepa_total set received = received + 1, received_amount = received_amount + 5000`,
  item_tally: `update item_tally set opened = opened + 1`,
  discipline_progress: `update discipline_progress set finished = finished + 1, last_read_at = now()`,
};

/** Enough rows to fill pages to their fillfactor. */
const rows = `
  insert into prepa (nom, description, prix, created_at, updated_at) values ('P', 'x', 1, now(), now());
  insert into discipline (prepa_id, nom, description, created_at, updated_at) select id, 'D', 'x', now(), now() from prepa;
  insert into item (discipline_id, kind, titre, numero_page, contenu, created_at, updated_at)
    select id, 'exercise', 'T' || n, n, 'x', now(), now() from discipline, generate_series(1, 100) n;
  insert into app_user (id, username, email, password_hash, created_at) select gen_random_uuid(), 'u' || n, 'u' || n, 'x', now() from generate_series(1, 100) n;
  insert into item_reading (user_id, item_id, read_at) select u.id, i.id, now() from app_user u, item i;
  insert into practice (user_id, item_id, verdict, marked_at) select u.id, i.id, 'a_revoir', now() from app_user u, item i;
  insert into notification (user_id, message, date_creation) select u.id, 'Votre inscription est confirmée.', now() from app_user u, item i;
  insert into attempt_limit (key, points, expire) select 'key ' || n, 1, 1 from generate_series(1, 1000) n;
  insert into known_device (device, user_id, known_at) select md5(u.id::text || n), u.id, now() from app_user u, generate_series(1, 10) n;
  insert into payment_day_total (day, provider) select current_date - n, 'zitopay' from generate_series(1, 1000) n;
  insert into payment_prepa_total (span, start, prepa_id, prepa_nom) select 'day', current_date - n, 1, 'P' from generate_series(1, 1000) n;`;

t.test('frequent updates are HOT updates', async (t) => {
  const { url } = await createTestDatabase(t);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  t.teardown(() => client.end());
  await client.query(rows);
  for (const [table, change] of Object.entries(changes)) {
    // Removes row versions left by triggers and earlier changes: PostgreSQL does not prune them while another test has an older
    // transaction.
    await client.query(`vacuum ${table}`);
    // Updates one row in twenty, which fits into a page before it is pruned.
    await client.query('begin');
    const before = await updatesOf(client, table);
    const { rowCount } = await client.query(
      `${change} where ctid = any(array(select ctid from ${table} where (ctid::text::point)[1]::int % 20 = 1))`,
    );
    const after = await updatesOf(client, table);
    await client.query('rollback');
    t.ok(Number(rowCount) > 0, `${table} has rows`);
    const [updated, hot] = [after.updated - before.updated, after.hot - before.hot];
    t.equal(updated, rowCount, `${table}: every update is counted`);
    t.equal(hot, updated, `${table}: ${hot} of ${updated}`);
  }
});

/**
 * Returns the table's rows that this session has updated, in total and by HOT, including those of earlier transactions not yet reported.
 */
async function updatesOf(client: pg.Client, table: string): Promise<{ updated: number; hot: number }> {
  const { rows } = await client.query<{ updated: number; hot: number }>(
    `select pg_stat_get_xact_tuples_updated($1::regclass)::int as updated, pg_stat_get_xact_tuples_hot_updated($1::regclass)::int as hot`,
    [table],
  );
  return rows[0] ?? { updated: 0, hot: 0 };
}
