import t from 'tap';
import { call, createTestApp, type TestApp, visit } from '../../../../test/support/app.ts';
import { createDiscipline, createEnrolment, createItem, createLearner, createPrepa } from '../../../../test/support/factories.ts';

/**
 * Requests a study page, a mark and a failed sign-in (whose limiter names its own statements). Returns the names of prepared statements.
 */
async function namesHeard(home: TestApp): Promise<string[]> {
  const { app, kernel } = home;
  const [learner, prepa] = [await createLearner(home), await createPrepa(home)];
  const discipline = await createDiscipline(home, prepa.id);
  const item = await createItem(home, discipline.id);
  await createEnrolment(home, learner, prepa, 10);
  t.equal((await visit(app, `/user/prepa/${prepa.id}/${discipline.id}`, learner.session)).statusCode, 200);
  const mark = await call(app, { method: 'POST', url: `/api/items/${item.id}/termine`, session: learner.session });
  t.equal(mark.statusCode, 204);
  const payload = { email: 'inconnue@gmail.com', password: 'Faux-2026!' };
  t.equal((await call(app, { method: 'POST', url: '/api/users/login', payload })).statusCode, 401);
  const pool = await kernel.orm.em.getConnection().getNativeClient();
  const clients = await Promise.all(Array.from({ length: pool.totalCount }, () => pool.connect()));
  const rows = await Promise.all(clients.map((client) => client.query<{ name: string }>('select name from pg_prepared_statements')));
  for (const client of clients) client.release();
  return [...new Set(rows.flatMap((found) => found.rows.map(({ name }) => name)))];
}

const direct = { databaseHost: null };

t.test('off: no statement has a name, neither ours nor those of packages', async () => {
  t.same(await namesHeard(await createTestApp(t, { DATABASE_NAMED_STATEMENTS: 'off' }, null, direct)), []);
});

t.test('on (default): frequent reads and the limiter use named statements', async () => {
  const names = await namesHeard(await createTestApp(t, { DATABASE_NAMED_STATEMENTS: '' }, null, direct));
  for (const name of ['content.study', 'attempt_limit:rlflx-upsert']) t.ok(names.includes(name), `${name} in ${names.join(', ')}`);
});

t.test('opens no more connections than DATABASE_POOL_SIZE', async () => {
  const { kernel } = await createTestApp(t, { DATABASE_POOL_SIZE: '3' });
  const pool = await kernel.orm.em.getConnection().getNativeClient();
  await Promise.all(Array.from({ length: 20 }, () => kernel.fork().execute('select 1')));
  t.equal(pool.totalCount, 3);
});
