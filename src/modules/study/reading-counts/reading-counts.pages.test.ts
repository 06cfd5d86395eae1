import { parseHTML } from 'linkedom';
import t from 'tap';
import { createTestApp, visit } from '../../../../test/support/app.ts';
import { createAdministrator, createDiscipline, createItem, createLearner } from '../../../../test/support/factories.ts';
import { assertValidHtml } from '../../../../test/support/page-checks.ts';
import { sql } from '../../../../test/support/sql.ts';
import { statementsDuring } from '../../../../test/support/statements.ts';

const home = await createTestApp(t);
const { app, databaseUrl } = home;
const writer = await createAdministrator(home);
const textOf = (element: { textContent: string | null }) => element.textContent?.replaceAll(/\s+/g, ' ').trim();
const tables = async (disciplineId: number) => {
  const { body, statusCode } = await visit(app, `/admin/discipline/${disciplineId}/lectures`, writer.session);
  t.equal(statusCode, 200);
  await assertValidHtml(t, body);
  const { document } = parseHTML(body);
  return [...document.querySelectorAll('table tbody tr')].map((row) => [...row.querySelectorAll('th, td')].map(textOf).join(' | '));
};

t.test('each item with its learner counts: opened, finished, to review, error reported', async (t) => {
  const discipline = await createDiscipline(home);
  t.same(await tables(discipline.id), []);
  const [first, second] = [
    await createItem(home, discipline.id, { titre: 'Suites' }),
    await createItem(home, discipline.id, { titre: 'Séries', numeroPage: 2 }),
  ];
  const exercise = await createItem(home, discipline.id, { kind: 'exercise', titre: 'Limites', corrige: '<p>Zéro.</p>' });
  const elsewhere = await createItem(home, (await createDiscipline(home)).id);
  const [ada, ben] = [await createLearner(home), await createLearner(home)];
  for (const [learner, item, finished] of [
    [ada, first, true],
    [ben, first, false],
    [ada, exercise, true],
    [ben, exercise, true],
    [ben, elsewhere, true],
  ] as const) {
    await sql(
      databaseUrl,
      'insert into item_reading (user_id, item_id, read_at, finished_at) values ($1, $2, now(), case when $3 then now() end)',
      [learner.id, item.id, finished],
    );
  }
  for (const [learner, verdict] of [
    [ada, 'a_revoir'],
    [ben, 'reussi'],
  ] as const) {
    await sql(databaseUrl, 'insert into practice (user_id, item_id, verdict, marked_at) values ($1, $2, $3, now())', [
      learner.id,
      exercise.id,
      verdict,
    ]);
  }
  for (const place of ['Question 1', 'Question 2']) {
    await sql(
      databaseUrl,
      "insert into item_report (item_id, user_id, kind, place, message, created_at) values ($1, $2, 'texte', $3, '', now())",
      [exercise.id, ada.id, place],
    );
  }
  t.same(await tables(discipline.id), [
    'Leçon 1 : Suites | 2 | 1 | 0',
    'Leçon 2 : Séries | 0 | 0 | 0',
    'Exercice 1 : Limites | 2 | 2 | 1 | 1',
  ]);
  t.ok(second.id > first.id);
});

t.test("only administrators may see the page, which takes four statements, one for the menu's counts", async (t) => {
  const { id } = await createDiscipline(home);
  const learner = await createLearner(home);
  const url = `/admin/discipline/${id}/lectures`;
  t.match((await visit(app, url, learner.session)).headers.location, /^\/admin\/connexion/);
  t.equal((await visit(app, '/admin/discipline/999999/lectures', writer.session)).statusCode, 404);
  const sent = await statementsDuring(async () => t.equal((await visit(app, url, writer.session)).statusCode, 200));
  t.equal(sent.length, 4);
});

t.test('the stored counts equal the marks after every kind of change', async (t) => {
  const discipline = await createDiscipline(home);
  const items = await Promise.all(
    [1, 2, 3].map((numeroPage) => createItem(home, discipline.id, { kind: 'exercise', numeroPage, corrige: '<p>1</p>' })),
  );
  const ids = items.map(({ id }) => id);
  const wrong = () =>
    sql(
      databaseUrl,
      `select * from (select i.id, count(r.read_at)::int as opened, count(r.finished_at)::int as finished,
                             (select count(*)::int from practice p where p.item_id = i.id and p.verdict = 'a_revoir') as to_review
                      from item i left join item_reading r on r.item_id = i.id group by i.id) e
       full join (select item_id as id, opened, finished, to_review from item_tally) t using (id)
       where (e.opened, e.finished, e.to_review) is distinct from (coalesce(t.opened, 0), coalesce(t.finished, 0), coalesce(t.to_review, 0))`,
    );
  const learners = await Promise.all(Array.from({ length: 4 }, () => createLearner(home)));
  const people = learners.map(({ id }) => id);
  for (const change of [
    `insert into item_reading (user_id, item_id, read_at, finished_at)
     select u, i, now(), case when i % 2 = 0 then now() end from unnest($1::uuid[]) u, unnest($2::int[]) i`,
    `insert into item_reading as kept (user_id, item_id, read_at, finished_at) select u, i, now(), now() from unnest($1::uuid[]) u, unnest($2::int[]) i
     on conflict (user_id, item_id) do update set finished_at = coalesce(kept.finished_at, excluded.finished_at)`,
    `insert into practice (user_id, item_id, verdict, marked_at)
     select u, i, case when i % 2 = 0 then 'a_revoir' else 'reussi' end, now() from unnest($1::uuid[]) u, unnest($2::int[]) i`,
    `update practice set verdict = case when user_id = ($1::uuid[])[1] then 'reussi' else 'a_revoir' end where item_id = any($2)`,
    `delete from practice where user_id = ($1::uuid[])[2] and item_id = any($2)`,
    `delete from app_user where id = ($1::uuid[])[3] and $2::int[] is not null`,
    `delete from item where id = ($2::int[])[1] and $1::uuid[] is not null`,
  ]) {
    await sql(databaseUrl, change, [people, ids]);
    t.same(await wrong(), [], change.slice(0, 60));
  }
  await sql(databaseUrl, 'select retally_items(0, 2147483647)');
  t.same(await wrong(), [], 'the recount corrects wrong counts');
});
