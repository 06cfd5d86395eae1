import type { MikroORM } from '@mikro-orm/postgresql';

/**
 * Throws `25006` if the database is read-only: a standby, or `default_transaction_read_only`. Uses an update without rows, since an error
 * makes the pool replace its connections (connections/lost-connections.ts). A site that gets no requests because it is read-only would
 * otherwise never reconnect.
 */
export async function refuseReadOnly(orm: MikroORM): Promise<void> {
  const pool = await orm.em.getConnection().getNativeClient();
  await pool.query('update attempt_limit set points = points where false');
}
