import { setImmediate as turn } from 'node:timers/promises';
import t from 'tap';
import { createTestDatabase } from '../../../test/support/database.ts';
import { sql } from '../../../test/support/sql.ts';
import { entities } from '../../modules.ts';
import { closeDatabase, openDatabase } from './open-database.ts';

t.test('transactions whose connections break leave the pool as it was', async (t) => {
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
  // More than the pool has: the third waits for what the first two have lost.
  for (; broken < 3; broken += 1) await t.rejects(breakOne());
  t.same(await orm.em.fork().execute('select 1 as one'), [{ one: 1 }]);
  await closeDatabase(orm);
  t.equal(pool.totalCount, 0, 'closing waits for nobody');
});

t.test('who is told to close while a connection is being opened waits for it, and closes', async (t) => {
  const { url } = await createTestDatabase(t);
  const orm = await openDatabase({ url, entities });
  const pool = await orm.em.getConnection().getNativeClient();
  const asked = orm.em.fork().execute('select 1 as one');
  while (pool.totalCount === 0) await turn();
  await Promise.all([t.resolves(closeDatabase(orm)), t.resolveMatch(asked, [{ one: 1 }])]);
  t.equal(pool.totalCount, 0);
});
