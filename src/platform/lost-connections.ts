import type { MikroORM } from '@mikro-orm/postgresql';
import type { PoolClient } from 'pg';

/** Whoever held a connection that broke has given it back by then, or never will; in ms. */
const giveUpAfter = 1_000;

/**
 * Takes back from the pool's borrowers what has broken under a transaction. The query builder gives a transaction's connection back once its commit or
 * rollback has succeeded, which on a broken one neither ever does: without this, each restart of PostgreSQL costs the pool as many connections as
 * transactions were under way, until none is left, and closing waits for them for ever.
 */
export async function takeBackLostConnections(orm: MikroORM): Promise<void> {
  const pool = await orm.em.getConnection().getNativeClient();
  const borrowed = new Set<PoolClient>();
  pool.on('acquire', (client: PoolClient) => borrowed.add(client));
  pool.on('release', (_error: unknown, client: PoolClient) => borrowed.delete(client));
  pool.on('connect', (client: PoolClient) => {
    client.once('end', () => {
      setTimeout(() => {
        if (borrowed.has(client)) client.release(true);
      }, giveUpAfter);
    });
  });
}
