import { parseHTML } from 'linkedom';
import t from 'tap';
import { createTestApp, squeeze, submit, visit } from '../../../../test/support/app.ts';
import { createAdministrator, createDiscipline, createItem } from '../../../../test/support/factories.ts';
import { numberQuestion } from '../../../../test/support/questions.ts';
import { sql } from '../../../../test/support/sql.ts';

const home = await createTestApp(t);
const { app, databaseUrl } = home;
const { session } = await createAdministrator(home, 'super_admin');

let opened = 0;
/** Creates a discipline with eleven questions in its open lesson, one in its open series, and one in a closed lesson. */
async function open() {
  opened += 1;
  const own = String(opened).padStart(3, '0');
  const discipline = await createDiscipline(home);
  const ids = Array.from({ length: 11 }, (_, index) => `lesson${own}q${String(index).padStart(2, '0')}`);
  const [series, closed] = [`series${own}q00`, `closed${own}q00`];
  const question = (id: string) => numberQuestion(id, '4', { statement: `Énoncé ${id} ?` });
  const lesson = await createItem(home, discipline.id, {
    titre: 'Analyse',
    contenu: `<h2>Suites</h2>${ids.map(question).join('')}<h2>B</h2><h2>C</h2>`,
  });
  await createItem(home, discipline.id, { kind: 'quiz', titre: 'Série', contenu: question(series) });
  await createItem(home, discipline.id, { numeroPage: 2, contenu: question(closed) });
  const url = `/admin/discipline/${discipline.id}/diagnostic`;
  const stored = async () =>
    (
      await sql<{ question_id: string }>(
        databaseUrl,
        'select question_id from diagnostic_question where discipline_id = $1 order by position',
        [discipline.id],
      )
    ).map(({ question_id }) => question_id);
  const choose = (...chosen: string[]) =>
    submit(
      app,
      url,
      chosen.map((id): [string, string] => ['question', id]),
      session,
    );
  return { discipline, lesson, ids, series, closed, url, stored, choose };
}

async function shown(body: string) {
  const { document } = parseHTML(body);
  const boxes = [...document.querySelectorAll<HTMLInputElement>('input[name="question"]')];
  return {
    main: squeeze(document.querySelector('main')?.textContent),
    listed: boxes.map((box) => box.getAttribute('value')),
    ticked: boxes.filter((box) => box.hasAttribute('checked')).map((box) => box.getAttribute('value')),
    document,
  };
}

t.test('an administrator chooses questions of the open items, which stand in the order of the texts', async (t) => {
  const { discipline, ids, series, url, stored, choose } = await open();
  const before = await shown((await visit(app, url, session)).body);
  t.same(before.listed, [...ids, series], 'not the question of the closed lesson');
  t.same(before.ticked, []);
  t.match(before.main, `Énoncé ${ids[0]} ? Suites`, 'with the part of the text as its theme');
  const saved = await choose(series, ids[4] ?? '', ids[1] ?? '');
  t.equal(saved.statusCode, 303);
  t.same(await stored(), [ids[1], ids[4], series]);
  const after = await shown((await visit(app, url, session)).body);
  t.same(after.ticked, [ids[1], ids[4], series]);
  const link = after.document.querySelector('a[href$="/diagnostic"]')?.getAttribute('href');
  t.equal(link, `/user/prepa/consultation/${discipline.prepaId}/${discipline.id}/diagnostic`);
  t.match((await visit(app, link ?? '')).body, `Énoncé ${ids[4]}`);
  await choose(ids[0] ?? '', ids[1] ?? '');
  t.same(await stored(), [ids[0], ids[1]], 'the new choice replaces the old one');
  await choose();
  t.same(await stored(), []);
  t.match(
    (await visit(app, `/admin/discipline/${discipline.id}`, session)).body,
    `href="${url}"`,
    'the screen of the discipline leads here',
  );
});

t.test('each change of the choice is in the audit log, and a repeated choice is no change', async (t) => {
  const { discipline, ids, stored, choose } = await open();
  const entries = () =>
    sql<{ before: object; after: object; label: string }>(
      databaseUrl,
      "select label, before, after from audit_entry where subject = 'diagnostic' and subject_id = $1 order by id",
      [String(discipline.id)],
    );
  await choose(ids[0] ?? '', ids[2] ?? '');
  await choose(ids[0] ?? '', ids[2] ?? '');
  await choose(ids[0] ?? '');
  t.same(await entries(), [
    { label: discipline.nom, before: { questions: null }, after: { questions: 'Analyse : 1, 3' } },
    { label: discipline.nom, before: { questions: 'Analyse : 1, 3' }, after: { questions: 'Analyse : 1' } },
  ]);
  t.same(await stored(), [ids[0]]);
  t.match((await shown((await visit(app, '/admin/journal', session)).body)).main, 'Analyse : 1, 3');
});

t.test('too many questions, foreign ones and faulty ones are refused, and the ticks stay', async (t) => {
  const { ids, closed, stored, choose } = await open();
  const foreign = (await open()).ids[0] ?? '';
  const first = ids[0] ?? '';
  await choose(first);
  const many = await choose(...ids);
  t.equal(many.statusCode, 400);
  const page = await shown(many.body);
  t.match(page.main, 'Choisissez au plus 10 questions : vous en avez choisi 11.');
  t.same(page.ticked, ids);
  for (const other of [closed, foreign, 'missing00000']) {
    const refused = await choose(ids[1] ?? '', other);
    t.equal(refused.statusCode, 400, other);
    const again = await shown(refused.body);
    t.match(again.main, "Une question choisie n'est plus dans les contenus ouverts", other);
    t.same(again.ticked, [ids[1]], other);
  }
  t.equal((await choose("x'; --")).statusCode, 400);
  await sql(databaseUrl, 'update question set usable = false where id = $1', [ids[2]]);
  t.equal((await choose(ids[2] ?? '')).statusCode, 400);
  t.same(await stored(), [first], 'the choice before stays');
});

t.test('a chosen question that cannot be asked any more is named, and the next save removes it', async (t) => {
  const { ids, url, stored, choose, lesson } = await open();
  await choose(ids[0] ?? '', ids[1] ?? '');
  await sql(databaseUrl, 'update question set position = null where id = $1', [ids[0]]);
  t.match((await shown((await visit(app, url, session)).body)).main, "Une question choisie n'est plus posée");
  await choose(ids[1] ?? '');
  t.same(await stored(), [ids[1]]);
  await sql(databaseUrl, 'delete from item where id = $1', [lesson.id]);
  t.same(await stored(), [], 'the questions of a deleted item');
});

t.test('a discipline without questions says what to do, and a missing one is not found', async (t) => {
  const { id } = await createDiscipline(home);
  t.match((await shown((await visit(app, `/admin/discipline/${id}/diagnostic`, session)).body)).main, "n'ont pas encore de question");
  t.equal((await visit(app, '/admin/discipline/999999/diagnostic', session)).statusCode, 404);
  t.equal((await submit(app, '/admin/discipline/999999/diagnostic', {}, session)).statusCode, 404);
});
