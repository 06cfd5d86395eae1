// Slow: it waits until broken connections time out.
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import t from 'tap';
import { createTestDatabase } from '../../../../test/support/database.ts';
import { createNetworkPath } from '../../../../test/support/network-path.ts';
import { sql } from '../../../../test/support/sql.ts';
import { entities } from '../../../modules.ts';
import { closeDatabase, openDatabase } from '../open-database.ts';

t.test('returns broken connections of transactions to the pool', async (t) => {
  const { url } = await createTestDatabase(t);
  const orm = await openDatabase({ url, entities, poolSize: 2 });
  const pool = await orm.em.getConnection().getNativeClient();
  let broken = 0;
  const breakOne = () =>
    orm.em.fork().transactional(async (tx) => {
      const [row] = await tx.execute<{ pid: number }[]>('select pg_backend_pid() as pid');
      await sql(url, 'select pg_terminate_backend($1)', [row?.pid]);
      await tx.execute('select 1');
    });
  // The pool has two connections: the third transaction needs one of those that broke.
  for (; broken < 3; broken += 1) await t.rejects(breakOne());
  t.same(await orm.em.fork().execute('select 1 as one'), [{ one: 1 }]);
  await closeDatabase(orm);
  t.equal(pool.totalCount, 0, 'closing does not wait for broken connections');
});

t.test('closing waits for a connection that is being opened, and closes it', async (t) => {
  const { url } = await createTestDatabase(t);
  const orm = await openDatabase({ url, entities });
  const pool = await orm.em.getConnection().getNativeClient();
  const asked = orm.em.fork().execute('select 1 as one');
  while (pool.totalCount === 0) await turn();
  await Promise.all([t.resolves(closeDatabase(orm)), t.resolveMatch(asked, [{ one: 1 }])]);
  t.equal(pool.totalCount, 0);
});

t.test('closes a silent connection even if it was idle for long before', async (t) => {
  const { url } = await createTestDatabase(t);
  const path = await createNetworkPath(t, url);
  const orm = await openDatabase({ url: path.url, entities, poolSize: 1, timeoutMs: 1_000 });
  const pool = await orm.em.getConnection().getNativeClient();
  const opened = once(pool, 'connect');
  await pool.query('select 1');
  const [client] = (await opened) as [PoolClient];
  const stream = client.connection.stream as Socket;
  t.teardown(() => {
    // Closing the database waits for the running statement.
    stream.destroy();
    return closeDatabase(orm);
  });
  for (let rests = 0; rests < 2; rests += 1) {
    // The connection is idle for longer than the statement timeout.
    await once(stream, 'timeout');
    t.same((await pool.query('select 1 as one')).rows, [{ one: 1 }], 'an idle connection stays open');
  }
  path.cut();
  const late = AbortSignal.timeout(20_000);
  const answer = await Promise.race([pool.query('select 1').catch((error: NodeJS.ErrnoException) => error.code), once(late, 'abort')]);
  t.equal(answer, 'ETIMEDOUT');
  path.restore();
  t.same((await pool.query('select 1 as one')).rows, [{ one: 1 }], 'a new connection is opened');
});
