import type { Socket } from 'node:net';
import type { MikroORM } from '@mikro-orm/postgresql';
import type { PoolClient } from 'pg';

/** Time in which the holder of a broken connection normally returns it to the pool, in ms; after this it never will. */
const giveUpAfter = 1_000;
/**
 * PostgreSQL cancels a statement itself after its timeout. If even that message is late by this time, in ms, the network path is broken.
 */
const graceMs = 2_000;

/**
 * Removes unusable connections from the pool, so that the site works again as soon as its database does: connections that broke inside a
 * transaction, connections that have gone silent, and connections on which PostgreSQL has become read-only.
 * @param timeoutMs statement timeout; null: none
 */
export async function dropLostConnections(orm: MikroORM, timeoutMs: number | null): Promise<void> {
  const pool = await orm.em.getConnection().getNativeClient();
  const open = new Set<PoolClient>();
  const borrowed = new Set<PoolClient>();
  const outdated = new WeakSet<PoolClient>();

  pool.on('acquire', (client: PoolClient) => borrowed.add(client));
  pool.on('release', (_error: unknown, client: PoolClient) => {
    borrowed.delete(client);
    // The pool checks this next and opens a new connection.
    if (outdated.has(client)) void client.end();
  });
  pool.on('connect', (client: PoolClient) => {
    open.add(client);
    client.once('end', () => {
      open.delete(client);
      // The query builder returns a transaction's connection only after a successful commit or rollback, so never if it broke.
      // If these connections were not released, each restart of PostgreSQL would cost the pool some, and closing the pool would never end.
      setTimeout(() => {
        if (borrowed.has(client)) client.release(true);
      }, giveUpAfter);
    });
    if (timeoutMs !== null) closeWhenSilent(client, timeoutMs + graceMs);
    client.connection.on('errorMessage', ({ code }: { code?: string }) => {
      if (code === '25006') replaceAll();
    });
  });

  /**
   * Replaces all connections. Their server has become a replica or is read-only, and would refuse every change; new connections may lead to
   * another server.
   */
  function replaceAll(): void {
    for (const client of open) {
      if (borrowed.has(client)) outdated.add(client);
      // The pool removes an idle connection at once when it emits an error.
      else client.emit('error', new Error('PostgreSQL takes no changes on this connection'));
    }
  }
}

/**
 * Closes a connection that has been silent for `silenceMs` while a result is due. The driver's `query_timeout` does not do: it leaves the
 * connection open, and does not notice that a result is still arriving.
 */
function closeWhenSilent(client: PoolClient, silenceMs: number): void {
  const stream = client.connection.stream as Socket;
  // After the requested rows, a cursor is idle until its reader asks for more, for any time.
  let restsAt = -1;
  client.connection.on('portalSuspended', () => {
    restsAt = stream.bytesWritten;
  });
  stream.setTimeout(silenceMs);
  // A callback given to setTimeout() is called once only, possibly while the connection is idle.
  stream.on('timeout', () => {
    // Missing in the driver's types: false while a statement runs.
    const { readyForQuery } = client as PoolClient & { readyForQuery: boolean };
    if (readyForQuery || stream.bytesWritten === restsAt) return;
    stream.destroy(Object.assign(new Error('PostgreSQL does not answer on this connection any more'), { code: 'ETIMEDOUT' }));
  });
}
