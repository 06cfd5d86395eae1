import t from 'tap';
import { call, createTestApp } from '../../../../../test/support/app.ts';
import {
  createAdministrator,
  createDiscipline,
  createDocument,
  createEnrolment,
  createItem,
  createLearner,
  createPrepa,
} from '../../../../../test/support/factories.ts';
import { choiceQuestion } from '../../../../../test/support/questions.ts';
import { holding, sql, untilBlocked } from '../../../../../test/support/sql.ts';
import type { TextsAnswer } from '../../../../shared/offline/offline-copy.ts';

// Items that move to another discipline (decision 132): their lists, what follows them, and saves at the same time.

const site = await createTestApp(t);
const { app, databaseUrl } = site;
const { session } = await createAdministrator(site);

const rows = <Row extends object>(statement: string, values: unknown[] = []) => sql<Row>(databaseUrl, statement, values);
const send = async (method: 'GET' | 'POST' | 'PUT', url: string, payload?: object) => {
  const answer = await call(app, { method, url: `/api${url}`, session, ...(payload ? { payload } : {}) });
  return { status: answer.statusCode, body: answer.json() };
};
const move = (ids: number[], discipline_id: number) => send('POST', '/contenus/deplacement', { ids, discipline_id });
/** Returns the pages and titles of a list. */
const listOf = async (disciplineId: number, path = 'lecons') =>
  (await send('GET', `/${path}/discipline/${disciplineId}?textes=non`)).body.map(
    ({ numero_page, titre }: { numero_page: number; titre: string }) => `${numero_page} ${titre}`,
  );
const draftIn = async (discipline_id: number, titre: string) =>
  (await send('POST', '/lecons', { titre, contenu: '<p>Brouillon.</p>', discipline_id, brouillon: true })).body.brouillon.id as number;

async function twoPrepas() {
  const [from, to] = [await createPrepa(site, { nom: 'ENS' }), await createPrepa(site, { nom: 'ENAM' })];
  const [maths, physics] = [await createDiscipline(site, from.id), await createDiscipline(site, to.id)];
  const lessons = [];
  for (const [index, titre] of ['Un', 'Deux', 'Trois', 'Quatre'].entries())
    lessons.push(await createItem(site, maths.id, { titre, numeroPage: index + 1 }));
  await createItem(site, physics.id, { titre: 'Optique' });
  return { from, to, maths, physics, lessons: lessons.map(({ id }) => id) as [number, number, number, number] };
}

t.test('several items and drafts come to the end of their lists in their order, and the lists that they leave close up', async (t) => {
  const { maths, physics, lessons } = await twoPrepas();
  const exercise = await createItem(site, maths.id, { kind: 'exercise', titre: 'Exercice' });
  const draft = await draftIn(maths.id, 'À venir');
  await send('PUT', `/brouillons/${lessons[1]}`, { titre: 'Deux', contenu: '<p>Autrement.</p>' });
  const { id: document } = await createDocument(site, lessons[3]);
  await send('PUT', `/lecons/${lessons[3]}`, { titre: 'Quatre', contenu: '<p>Nouveau.</p>' });

  const moved = await move([lessons[3], draft, lessons[1], exercise.id, 999_999], physics.id);
  t.equal(moved.status, 200, JSON.stringify(moved.body));
  t.same(moved.body.deplaces.toSorted(), [lessons[3], draft, lessons[1], exercise.id].toSorted());
  t.same(moved.body.absents, [999_999], 'a deleted item stops no other');
  t.same(await listOf(physics.id), ['1 Optique', '2 Deux', '3 Quatre']);
  t.same(await listOf(physics.id, 'exercices'), ['1 Exercice']);
  t.same(await listOf(maths.id), ['1 Un', '2 Trois']);
  t.match(
    (await send('GET', `/brouillons/discipline/${physics.id}`)).body.map(({ id }: { id: number }) => id).toSorted(),
    [lessons[1], draft].toSorted(),
  );
  t.same((await send('GET', `/brouillons/discipline/${maths.id}`)).body, []);
  t.match((await send('GET', `/lecons/${lessons[3]}`)).body, { version: 2, documents: [{ id: document }] });
  t.equal((await send('GET', `/lecons/${lessons[3]}/versions`)).body.length, 2, 'versions stay');
  t.match(await rows(`select before, after from audit_entry where subject_id = $1 order by id desc limit 1`, [String(lessons[3])]), [
    { before: { preparation: 'ENS', discipline: maths.nom, numero_page: 4 }, after: { preparation: 'ENAM', discipline: physics.nom } },
  ]);

  const outline = () => rows('select outline_version from discipline where id = $1', [physics.id]);
  const before = await outline();
  t.same((await move([lessons[3]], physics.id)).body.deplaces, [lessons[3]], 'a move that is sent again');
  t.same(await listOf(physics.id), ['1 Optique', '2 Deux', '3 Quatre']);
  t.same(await outline(), before);
  const refused = await move([lessons[0]], 999_999);
  t.equal(refused.status, 400);
  t.match(refused.body.errors, [{ field: 'discipline_id' }]);
  t.same(await listOf(maths.id), ['1 Un', '2 Trois']);
});

t.test('a key of a content folder follows its item, unless the new list has it', async (t) => {
  const { maths, physics, lessons } = await twoPrepas();
  await rows(`update item set key = 'suites' where id = $1`, [lessons[0]]);
  await rows(`update item set key = 'limites' where id = $1`, [lessons[1]]);
  const other = await createItem(site, physics.id, { numeroPage: 2 });
  await rows(`update item set key = 'suites' where id = $1`, [other.id]);
  t.equal((await move([lessons[0], lessons[1]], physics.id)).status, 200);
  t.same(await rows('select key from item where id = any($1) order by id', [[lessons[0], lessons[1]]]), [
    { key: null },
    { key: 'limites' },
  ]);
  t.same(await listOf(maths.id), ['1 Trois', '2 Quatre']);
});

t.test('progress, search, study pages and diagnostics follow the item; nobody is notified', async (t) => {
  const { from, to, maths, physics, lessons } = await twoPrepas();
  const [reader, other] = [await createLearner(site), await createLearner(site)];
  for (const learner of [reader, other]) for (const prepa of [from, to]) await createEnrolment(site, learner, prepa);
  const read = (learner: { id: string }, id: number, minute: number, finished: boolean) =>
    rows(`insert into item_reading (user_id, item_id, read_at, finished_at) values ($1, $2, $3, $4)`, [
      learner.id,
      id,
      `2026-11-20T10:${minute}:00Z`,
      finished ? `2026-11-20T10:${minute}:30Z` : null,
    ]);
  await read(reader, lessons[0], 10, true);
  await read(reader, lessons[1], 20, true);
  await read(reader, lessons[2], 30, false);
  await read(other, lessons[1], 40, false);
  const question = choiceQuestion({
    id: 'question0001',
    choices: [
      { id: 'choix0000001', text: 'Oui', right: true },
      { id: 'choix0000002', text: 'Non' },
    ],
  });
  await send('PUT', `/lecons/${lessons[1]}`, { titre: 'Deux', contenu: `<p>Un mot rare : zébulon.</p>${question}` });
  const [{ id: asked } = { id: '' }] = await rows<{ id: string }>('select id from question where item_id = $1', [lessons[1]]);
  await rows('insert into diagnostic_question values ($1, $2, 1)', [maths.id, asked]);
  const notes = await rows('select count(*) from notification');
  const page = (prepa: number, discipline: number) =>
    call(app, { url: `/user/prepa/${prepa}/${discipline}`, session: reader.session, headers: { accept: 'text/html' } });
  t.notMatch((await page(to.id, physics.id)).body, 'Deux');

  await move([lessons[1], lessons[2]], physics.id);
  t.same(
    await rows('select user_id, discipline_id, finished, last_item_id from discipline_progress where discipline_id = any($1)', [
      [maths.id, physics.id],
    ]).then((found) => found.map((row) => Object.values(row).join(' ')).toSorted()),
    [
      `${reader.id} ${maths.id} 1 ${lessons[0]}`,
      `${reader.id} ${physics.id} 1 ${lessons[2]}`,
      `${other.id} ${physics.id} 0 ${lessons[1]}`,
    ].toSorted(),
  );
  const found = await call(app, { url: '/user/recherche?q=zebulon', session: reader.session, headers: { accept: 'text/html' } });
  t.match(found.body, `/user/prepa/${to.id}/${physics.id}?type=course&amp;item=${lessons[1]}`);
  t.match((await page(to.id, physics.id)).body, 'Deux', 'the cached page of the new discipline is not shown any more');
  t.notMatch((await page(from.id, maths.id)).body, 'Deux');
  t.same(await rows('select * from diagnostic_question where question_id = $1', [asked]), []);
  t.same(await rows('select count(*) from notification'), notes);

  // The same figures as a full count.
  const kept = await rows('select * from discipline_progress order by user_id, discipline_id');
  await rows('select recount_progress(array[$1, $2]::uuid[])', [reader.id, other.id]);
  t.same(await rows('select * from discipline_progress order by user_id, discipline_id'), kept);
});

t.test('a device takes the text out of one kept prepa and gets it in the other', async (t) => {
  const { from, to, physics, lessons } = await twoPrepas();
  const learner = await createLearner(site);
  for (const prepa of [from, to]) await createEnrolment(site, learner, prepa);
  const ask = (prepa: { id: number }, held: TextsAnswer | null) => {
    const tenus = held?.disciplines.flatMap(({ items }) => items.map(({ id, version }) => [id, version])) ?? [];
    const url = `/api/hors-ligne/prepas/${prepa.id}/differences`;
    return call(app, { method: 'POST', url, session: learner.session, payload: { disciplines: null, tenus } }).then(
      (answer) => answer.json() as TextsAnswer,
    );
  };
  const [ens, enam] = [await ask(from, null), await ask(to, null)];
  await move([lessons[1]], physics.id);
  const [left, got] = [await ask(from, ens), await ask(to, enam)];
  t.not(left.tag, ens.tag);
  t.notOk(left.disciplines.some(({ items }) => items.some(({ id }) => id === lessons[1])));
  t.same([left.items.length, got.items.map(({ id }) => id)], [0, [lessons[1]]]);
});

t.test('links to an item from before its move lead to it where the reader may go, and say no more elsewhere', async (t) => {
  const { from, to, maths, physics, lessons } = await twoPrepas();
  const [both, one] = [await createLearner(site), await createLearner(site)];
  for (const [learner, prepa] of [
    [both, from],
    [both, to],
    [one, from],
  ] as const)
    await createEnrolment(site, learner, prepa);
  const item = `type=course&item=${lessons[1]}`;
  const go = async (url: string, as?: string) => {
    const { statusCode, headers } = await call(app, { url, headers: { accept: 'text/html' }, ...(as && { session: as }) });
    return `${statusCode} ${headers.location ?? ''}`.trim();
  };
  await move([lessons[1]], physics.id);
  const old = `/user/prepa/${from.id}/${maths.id}`;
  t.equal(await go(`${old}?${item}`, both.session), `303 /user/prepa/${to.id}/${physics.id}?${item}`);
  t.equal(await go(`${old}/entrainement?${item}`, both.session), `303 /user/prepa/${to.id}/${physics.id}?${item}`);
  t.equal(await go(`${old}?${item}`, one.session), `303 /user/prepa/consultation/${to.id}/${physics.id}?${item}`);
  t.equal(
    await go(`/user/prepa/consultation/${from.id}/${maths.id}?${item}`),
    `303 /user/prepa/consultation/${to.id}/${physics.id}?${item}`,
  );
  t.equal(await go(`${old}?type=exercise&item=${lessons[1]}`, both.session), '404', 'another kind is another item');
  await rows('update prepa set is_published = false where id = $1', [to.id]);
  t.equal(await go(`${old}?${item}`, one.session), '404', 'a hidden prepa is not named');
  t.equal(await go(`${old}?${item}`, both.session), `303 /user/prepa/${to.id}/${physics.id}?${item}`);
});

t.test('a save that waits for a move is kept, in the new discipline; a draft is published there', async (t) => {
  const { maths, physics, lessons } = await twoPrepas();
  const draft = await draftIn(maths.id, 'À venir');
  const [saved, published, moved] = await holding(databaseUrl, `select from discipline where id = ${maths.id} for update`, async () => {
    const moving = move([lessons[0], draft], physics.id);
    await untilBlocked(databaseUrl, 1);
    const saving = send('PUT', `/lecons/${lessons[0]}`, { titre: 'Premier', contenu: '<p>Pendant.</p>', version: 1 });
    await untilBlocked(databaseUrl, 2);
    const publishing = send('POST', `/brouillons/${draft}/publication`, {});
    await untilBlocked(databaseUrl, 3);
    return [saving, publishing, moving] as const;
  });
  t.equal((await moved).status, 200);
  t.equal((await saved).status, 200, JSON.stringify((await saved).body));
  t.equal((await published).status, 200, JSON.stringify((await published).body));
  t.match((await send('GET', `/lecons/${lessons[0]}`)).body, { contenu: '<p>Pendant.</p>', discipline_id: physics.id, version: 2 });
  t.same(await listOf(physics.id), ['1 Optique', '2 Premier', '3 À venir']);
  t.same(await listOf(maths.id), ['1 Deux', '2 Trois', '3 Quatre']);
});

t.test('two moves of the same items at once, and moves in both directions, end with whole lists', async (t) => {
  const { maths, physics, lessons } = await twoPrepas();
  const third = await createDiscipline(site);
  const answers = await Promise.all([
    move([lessons[0], lessons[1]], physics.id),
    move([lessons[1], lessons[2]], third.id),
    move([lessons[0]], maths.id),
    move([lessons[3], lessons[2]], physics.id),
  ]);
  t.same(
    answers.map(({ status }) => status),
    [200, 200, 200, 200],
  );
  for (const { id } of [maths, physics, third]) {
    const pages = await rows<{ numero_page: number }>('select numero_page from item where discipline_id = $1 order by 1', [id]);
    t.same(
      pages.map((row) => row.numero_page),
      pages.map((_row, index) => index + 1),
    );
  }
});
