import t from 'tap';
import { call, createTestApp } from '../../../../test/support/app.ts';
import { createDiscipline, createItem, createPrepa } from '../../../../test/support/factories.ts';
import { sql } from '../../../../test/support/sql.ts';
import { statementsDuring } from '../../../../test/support/statements.ts';

const home = await createTestApp(t);
const { app, databaseUrl } = home;

const ask = (id: number | string) => call(app, { url: `/api/prepas/${id}/contenu` });

t.test('the contents of a published prepa in words, with the last change', async (t) => {
  const { id } = await createPrepa(home);
  t.same((await ask(id)).json(), { contenu: null, mise_a_jour: null });
  const [first, second] = [await createDiscipline(home, id), await createDiscipline(home, id)];
  const lesson = await createItem(home, first.id);
  await createItem(home, second.id);
  await createItem(home, second.id, { kind: 'exercise' });
  for (const numeroPage of [1, 2, 3]) await createItem(home, first.id, { kind: 'pastExam', numeroPage });
  await createItem(home, (await createDiscipline(home)).id);
  await sql(databaseUrl, `update item set updated_at = '2026-01-01'`);
  await sql(databaseUrl, `update item set updated_at = '2026-05-31T23:30:00Z' where id = $1`, [lesson.id]);
  const answers = await statementsDuring(async () => {
    t.same((await ask(id)).json(), { contenu: '2 leçons, 1 exercice, 3 anciens sujets', mise_a_jour: '1er juin 2026' });
  });
  t.equal(answers.length, 1);
});

t.test('other prepas give a 404', async (t) => {
  t.equal((await ask((await createPrepa(home, { isPublished: false })).id)).statusCode, 404);
  t.equal((await ask(2_000_000_000)).statusCode, 404);
  t.equal((await ask('abc')).statusCode, 400);
});
