import t from 'tap';
import { createTestDatabase } from './database.ts';
import { sql } from './sql.ts';

t.test('each test has its own migrated database', async (t) => {
  const [first, second] = await Promise.all([createTestDatabase(t), createTestDatabase(t)]);
  await sql(first.url, 'create table mine (n int)');
  t.same(await sql(second.url, "select to_regclass('mine') as found"), [{ found: null }]);
  const tables = await sql<{ n: number }>(second.url, "select count(*)::int as n from pg_tables where schemaname = 'public'");
  t.ok((tables[0]?.n ?? 0) > 1, 'the migrations have run');
});
