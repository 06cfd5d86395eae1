import t from 'tap';
import { createTestDatabase } from '../../../test/support/database.ts';
import { sql } from '../../../test/support/sql.ts';
import { entities } from '../../modules.ts';
import { openDatabase } from './open-database.ts';

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
  await orm.close(true);
  if (!pool.ended && !pool.ending) await pool.end();
  t.equal(pool.totalCount, 0, 'closing waits for nobody');
});
