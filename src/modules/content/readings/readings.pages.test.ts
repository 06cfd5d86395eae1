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

t.test('each item with its learners: who opened it, finished it, wants to see it again, found an error', async (t) => {
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

t.test('administrators alone, and in four statements, of which one counts what waits for them', async (t) => {
  const { id } = await createDiscipline(home);
  const learner = await createLearner(home);
  const url = `/admin/discipline/${id}/lectures`;
  t.match((await visit(app, url, learner.session)).headers.location, /^\/admin\/connexion/);
  t.equal((await visit(app, '/admin/discipline/999999/lectures', writer.session)).statusCode, 404);
  const sent = await statementsDuring(async () => t.equal((await visit(app, url, writer.session)).statusCode, 200));
  t.equal(sent.length, 4);
});
