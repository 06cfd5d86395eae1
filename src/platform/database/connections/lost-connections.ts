import type { Socket } from 'node:net';
import type { MikroORM } from '@mikro-orm/postgresql';
import type { PoolClient } from 'pg';

/** Whoever held a connection that broke has given it back by then, or never will; in ms. */
const giveUpAfter = 1_000;
/** PostgreSQL ends a statement by itself; when not even that has been heard so much later, in ms, the path to it is gone. */
const graceMs = 2_000;

/**
 * Keeps the pool free of connections that are of no use any more, so that a site whose database was away is well again as soon as that is:
 * those that broke under a transaction, those that have fallen silent, and those on which nothing can be changed any more.
 * @param timeoutMs what a statement may take; null: for ever
 */
export async function dropLostConnections(orm: MikroORM, timeoutMs: number | null): Promise<void> {
  const pool = await orm.em.getConnection().getNativeClient();
  const open = new Set<PoolClient>();
  const borrowed = new Set<PoolClient>();
  const outdated = new WeakSet<PoolClient>();

  pool.on('acquire', (client: PoolClient) => borrowed.add(client));
  pool.on('release', (_error: unknown, client: PoolClient) => {
    borrowed.delete(client);
    // The pool looks at this next, and opens another.
    if (outdated.has(client)) void client.end();
  });
  pool.on('connect', (client: PoolClient) => {
    open.add(client);
    client.once('end', () => {
      open.delete(client);
      // The query builder gives a transaction's connection back once its commit or rollback has succeeded, which on a broken one neither ever does: each restart
      // of PostgreSQL would cost the pool as many connections as transactions were under way, until none is left, and closing would wait for them for ever.
      setTimeout(() => {
        if (borrowed.has(client)) client.release(true);
      }, giveUpAfter);
    });
    if (timeoutMs !== null) closeWhenSilent(client, timeoutMs + graceMs);
    client.connection.on('errorMessage', ({ code }: { code?: string }) => {
      if (code === '25006') replaceAll();
    });
  });

  /** Their server has become a replica, or takes no changes for now, and each would go on to say so: the next ones may lead elsewhere. */
  function replaceAll(): void {
    for (const client of open) {
      if (borrowed.has(client)) outdated.add(client);
      // The pool forgets an idle one that has failed, at once.
      else client.emit('error', new Error('PostgreSQL takes no changes on this connection'));
    }
  }
}

/**
 * Closes a connection that owes an answer and has said nothing for `silenceMs`. The driver's own `query_timeout` would not do: it leaves the connection as
 * it is, and does not see that an answer is still coming in.
 */
function closeWhenSilent(client: PoolClient, silenceMs: number): void {
  const stream = client.connection.stream as Socket;
  // A cursor rests after the rows that were asked for, however long their reader takes.
  let restsAt = -1;
  client.connection.on('portalSuspended', () => {
    restsAt = stream.bytesWritten;
  });
  stream.setTimeout(silenceMs);
  // Each time: a callback of setTimeout's would hear the first time alone, which is when the connection rests.
  stream.on('timeout', () => {
    // Not among the driver's types: false while a statement is under way.
    const { readyForQuery } = client as PoolClient & { readyForQuery: boolean };
    if (readyForQuery || stream.bytesWritten === restsAt) return;
    stream.destroy(Object.assign(new Error('PostgreSQL does not answer on this connection any more'), { code: 'ETIMEDOUT' }));
  });
}
