import pg from 'pg';
import t from 'tap';
import { createTestApp } from '../../../../test/support/app.ts';
import { createDiscipline, createItem, createLearner, createPrepa } from '../../../../test/support/factories.ts';
import { sql } from '../../../../test/support/sql.ts';
import { statementsDuring } from '../../../../test/support/statements.ts';
import { listReports } from './report.repository.ts';

const home = await createTestApp(t);
const { kernel, databaseUrl } = home;

t.test('PostgreSQL plans the list of reports once, not for each page', async (t) => {
  const learner = await createLearner(home);
  const { id } = await createItem(home, (await createDiscipline(home, (await createPrepa(home)).id)).id);
  await sql(
    databaseUrl,
    `insert into item_report (item_id, user_id, kind, place, message, created_at, closed_at)
     select $1, $2, 'texte', 'Introduction', 'Un mot manque.', now(), case when n % 20 > 0 then now() end from generate_series(1, 20000) n`,
    [id, learner.id],
  );
  await sql(databaseUrl, 'analyze');
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  t.teardown(() => client.end());
  for (const isOpen of [true, false]) {
    const [statement] = await statementsDuring(async () => {
      t.equal((await listReports(kernel.fork(), isOpen, undefined)).length, 26);
    });
    for (let n = 0; n < 10; n += 1) await client.query({ ...statement, name: statement?.name ?? '', text: statement?.text ?? '' });
    const { rows } = await client.query('select generic_plans::int from pg_prepared_statements where name = $1', [statement?.name]);
    t.same(rows, [{ generic_plans: 5 }], isOpen ? 'open' : 'closed');
  }
});
