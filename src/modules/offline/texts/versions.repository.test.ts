import t from 'tap';
import { createTestApp } from '../../../../test/support/app.ts';
import { createLearner } from '../../../../test/support/factories.ts';
import { sql } from '../../../../test/support/sql.ts';
import { planOf, rowsRead, statementsDuring } from '../../../../test/support/statements.ts';
import { findVersions } from './versions.repository.ts';

const home = await createTestApp(t);
const { kernel, clock, databaseUrl } = home;

t.test('only the requested prepas of a large catalogue are read', async (t) => {
  const learner = await createLearner(home);
  const prepas = await sql<{ id: number }>(
    databaseUrl,
    `insert into prepa (nom, description, prix, is_published, created_at, updated_at) select 'Prépa ' || n, 'x', 1000, true, now(), now() from generate_series(1, 2000) n
     returning id`,
  );
  await sql(databaseUrl, 'analyze prepa');
  const choices = [...prepas.slice(700, 703), { id: 1_000_000 }].map(({ id }) => ({ id, disciplines: null }));
  let found: unknown[] = [];
  const [statement] = await statementsDuring(async () => {
    found = await findVersions(kernel.fork(), learner.id, clock.now(), choices);
  });
  t.match(found, [
    ...prepas.slice(700, 703).map(({ id }) => ({ prepaId: id, access: false, end: null, disciplines: [] })),
    { prepaId: null },
  ]);
  const read = rowsRead(await planOf(databaseUrl, statement, { run: true }), 'prepa');
  t.ok(read <= 3, `${read} prepas`);
});
