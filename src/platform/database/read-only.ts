import type { MikroORM } from '@mikro-orm/postgresql';

/**
 * Throws `25006` where nothing can be changed: on a standby, or with `default_transaction_read_only`. It asks by changing no row, since an error is what
 * lets the pool replace its connections (connections/lost-connections.ts): a site that is sent no requests for being read-only would otherwise never look elsewhere.
 */
export async function refuseReadOnly(orm: MikroORM): Promise<void> {
  const pool = await orm.em.getConnection().getNativeClient();
  await pool.query('update attempt_limit set points = points where false');
}
