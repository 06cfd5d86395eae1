import t from 'tap';
import { call, createTestApp, openCommands, visit } from '../../../../test/support/app.ts';
import {
  createAdministrator,
  createDiscipline,
  createEnrolment,
  createItem,
  createLearner,
  createPrepa,
} from '../../../../test/support/factories.ts';
import { holding, sql, untilBlocked } from '../../../../test/support/sql.ts';
import { drawFormulasAnew } from './index.ts';

// Texts stored before drawn formulas had a one-line text for search results (decision 051).

const home = await createTestApp(t);
const { app, databaseUrl } = home;
const kernel = await openCommands(t, home);
const administrator = await createAdministrator(home);
const discipline = await createDiscipline(home, (await createPrepa(home)).id);
const learner = await createLearner(home);
await createEnrolment(home, learner, { id: discipline.prepaId, nom: 'ENS' }, 10);

const draw = (options: Parameters<typeof drawFormulasAnew>[2] = {}) => drawFormulasAnew(kernel.fork(), kernel.context, options);
/** Returns the HTML that older releases stored for a formula. */
const stored = (latex: string, drawn: string) => `<span class="formula" data-latex="${latex}">${drawn}</span>`;
const fraction = stored('u_n=\\dfrac{1}{n}', '<math><msub><mi>u</mi><mi>n</mi></msub><mo>=</mo><mfrac><mn>1</mn><mi>n</mi></mfrac></math>');
const old = `<p>Soit ${fraction}, dite <strong>harmonique</strong>.</p>`;
const rowOf = async (id: number) =>
  (await sql<Record<string, unknown>>(databaseUrl, 'select contenu, corrige, texte, version, updated_at from item where id = $1', [id]))[0];
const clear = () => sql(databaseUrl, 'delete from item');

t.test('stored formulas are drawn as a save would draw them, cached pages included, and a second run changes nothing', async (t) => {
  await clear();
  const course = await createItem(home, discipline.id, { contenu: old });
  const exercise = await createItem(home, discipline.id, { kind: 'exercise', contenu: '<p>Calculer.</p>', corrige: old });
  await createItem(home, discipline.id, { contenu: '<p>Sans formule.</p>', numeroPage: 2 });
  const created = await call(app, {
    method: 'POST',
    url: '/api/lecons',
    session: administrator.session,
    payload: { titre: 'Nouvelle', contenu: old, discipline_id: discipline.id },
  });
  const { contenu: asSaved, id: savedId } = created.json();
  // Restore the drawing of an older release under the same version.
  await sql(databaseUrl, 'update item set contenu = $1 where id = $2', [old, savedId]);

  const url = `/user/prepa/${discipline.prepaId}/${discipline.id}`;
  const text = `/api/items/${course.id}/texte`;
  const [pageBefore, textBefore, rowBefore] = [
    await visit(app, url, learner.session),
    await call(app, { url: text, session: learner.session }),
    await rowOf(course.id),
  ];
  t.notMatch(pageBefore.body, 'mphantom');

  const report = { items: { read: 3, changed: 3, left: 0 }, versions: { read: 1, changed: 0, left: 0 } };
  t.same(await draw({ dryRun: true }), report);
  t.same(await rowOf(course.id), rowBefore, 'a dry run changes nothing');
  t.same(await draw(), report);
  t.equal((await rowOf(course.id))?.contenu, asSaved);
  t.equal((await rowOf(savedId))?.contenu, asSaved);
  t.match(await rowOf(exercise.id), { contenu: '<p>Calculer.</p>', corrige: asSaved });
  t.match(
    await rowOf(course.id),
    { version: rowBefore?.version, updated_at: rowBefore?.updated_at },
    'version and date stay: the author wrote nothing',
  );
  t.match((await rowOf(course.id))?.texte, /u_n = 1\/n/, 'the search text has the formula of the new drawing');

  const etags = { page: String(pageBefore.headers.etag), text: String(textBefore.headers.etag) };
  const page = await app.inject({ url, headers: { accept: 'text/html', cookie: learner.session, 'if-none-match': etags.page } });
  t.equal(page.statusCode, 200);
  t.match(page.body, '<mphantom>');
  const again = await call(app, { url: text, session: learner.session, headers: { 'if-none-match': etags.text } });
  t.equal(again.statusCode, 200);
  t.match(again.body, '<mphantom>');

  const outline = () => sql(databaseUrl, 'select outline_version from discipline where id = $1', [discipline.id]);
  const counted = await outline();
  t.same(await draw(), {
    items: { read: 3, changed: 0, left: 0 },
    versions: { read: 1, changed: 0, left: 0 },
  });
  t.same(await outline(), counted, 'a run without changes does not invalidate cached pages');
});

t.test('restoring an earlier version does not bring its old drawing back', async (t) => {
  await clear();
  const { id } = await createItem(home, discipline.id, { contenu: old });
  const save = (contenu: string) =>
    call(app, { method: 'PUT', url: `/api/lecons/${id}`, session: administrator.session, payload: { titre: 'Suites', contenu } });
  t.equal((await save('<p>Autre texte.</p>')).statusCode, 200);
  t.match(await draw(), { items: { read: 0 }, versions: { read: 1, changed: 1 } });
  await call(app, { method: 'POST', url: `/api/lecons/${id}/versions/1/restore`, session: administrator.session, payload: {} });
  t.match((await rowOf(id))?.contenu, '<mphantom>');
  t.match(await draw(), { items: { changed: 0 }, versions: { changed: 0 } });
});

t.test('more rows than one batch: each row is drawn once', async (t) => {
  await clear();
  for (let page = 1; page <= 45; page += 1) await createItem(home, discipline.id, { contenu: old, numeroPage: page });
  const progress: number[] = [];
  t.match(await draw({ onProgress: (read) => progress.push(read) }), { items: { read: 45, changed: 45, left: 0 } });
  t.same(progress, [20, 40, 45]);
  t.same(await sql(databaseUrl, `select count(*)::int as left from item where contenu not like '%<mphantom>%'`), [{ left: 0 }]);
});

t.test('a save made during a batch is not overwritten', async (t) => {
  await clear();
  const { id } = await createItem(home, discipline.id, { contenu: old });
  const save = `update item set contenu = '<p>Enregistré.</p>', version = version + 1 where id = ${id}`;
  const run = await holding(databaseUrl, save, async () => {
    const work = draw();
    await untilBlocked(databaseUrl, 1);
    return { work };
  });
  t.match(await run.work, { items: { read: 1, changed: 0 } });
  t.match(await rowOf(id), { contenu: '<p>Enregistré.</p>' });
});

t.test('a text is skipped and reported if it is not canonical or a drawn formula can no longer be rendered', async (t) => {
  await clear();
  const foreign = await createItem(home, discipline.id, { titre: 'Ailleurs', contenu: `<section>${old}</section>` });
  const lost = await createItem(home, discipline.id, {
    titre: 'Perdue',
    contenu: `<p>${stored('\\foo{', '<math><mi>f</mi></math>')}</p>`,
    numeroPage: 2,
  });
  const source = `<p>${stored('\\foo{', '<code>\\foo{</code>')} et ${fraction}</p>`;
  const undrawn = await createItem(home, discipline.id, { contenu: source, numeroPage: 3 });
  const before = [await rowOf(foreign.id), await rowOf(lost.id)];
  const left: unknown[] = [];
  const report = await draw({ onLeft: ({ itemId, titre }) => left.push([itemId, titre]) });
  t.match(report, { items: { read: 3, changed: 1, left: 2 } });
  t.same(left, [
    [foreign.id, 'Ailleurs'],
    [lost.id, 'Perdue'],
  ]);
  t.same([await rowOf(foreign.id), await rowOf(lost.id)], before);
  t.match((await rowOf(undrawn.id))?.contenu, /<code>\\foo\{<\/code>.*<mphantom>/);
});
