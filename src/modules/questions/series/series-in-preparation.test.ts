import t from 'tap';
import { call, createTestApp, squeeze, submit, visit } from '../../../../test/support/app.ts';
import {
  createAdministrator,
  createDiscipline,
  createEnrolment,
  createItem,
  createLearner,
  createPrepa,
} from '../../../../test/support/factories.ts';
import { offlineCalls } from '../../../../test/support/offline-calls.ts';
import { choiceQuestion, faulty } from '../../../../test/support/questions.ts';
import { sql } from '../../../../test/support/sql.ts';

// A series without a question that may be asked is in preparation: nobody can finish it, so no learner sees it or is asked to.

const home = await createTestApp(t);
const { app, databaseUrl } = home;
const { textsOf } = offlineCalls(home);

const choices = [
  { id: 'goodchoice01', text: 'oui', right: true },
  { id: 'badchoice001', text: 'non' },
];
const prepa = await createPrepa(home, { nom: 'ENS' });
const discipline = await createDiscipline(home, prepa.id);
const lesson = await createItem(home, discipline.id, { titre: 'La leçon' });
const broken = await createItem(home, discipline.id, {
  kind: 'quiz',
  titre: 'Série cassée',
  contenu: `<p>Avant le palimpseste.</p>${faulty(choiceQuestion({ id: 'faultyasked1', choices }))}`,
});
const empty = await createItem(home, discipline.id, { kind: 'quiz', titre: 'Série vide', numeroPage: 2, contenu: '<p>Bientôt.</p>' });
const good = await createItem(home, discipline.id, {
  kind: 'quiz',
  titre: 'Série prête',
  numeroPage: 3,
  contenu: `${faulty(choiceQuestion({ id: 'faultyasked2', statement: 'Le parapluie ?', choices: [] }))}${choiceQuestion({ id: 'usableasked1', choices: choices.map((choice) => ({ ...choice, id: `z${choice.id.slice(1)}` })) })}`,
});
const learner = await createLearner(home);
const finish = (itemId: number) =>
  sql(
    databaseUrl,
    `insert into item_reading (user_id, item_id, read_at, finished_at) values ($1, $2, $3, $3)
     on conflict (user_id, item_id) do update set finished_at = excluded.finished_at`,
    [learner.id, itemId, home.clock.now()],
  );

const study = `/user/prepa/${prepa.id}/${discipline.id}`;
const trial = `/user/prepa/consultation/${prepa.id}/${discipline.id}`;
const json = async (url: string, session?: string) => (await call(app, { url, ...(session && { session }) })).json();
const titles = async (url: string, session?: string): Promise<string[]> =>
  (await json(url, session)).map(({ titre }: { titre: string }) => titre);
const hidden = /Série cassée|Série vide|palimpseste/;

t.test('the trial shows and opens the first series that can be done', async (t) => {
  const { body } = await visit(app, trial);
  t.match(body, 'Série prête');
  t.notMatch(body, hidden);
  t.equal((await visit(app, `${trial}?type=quiz&item=${good.id}`)).statusCode, 200);
  t.equal((await visit(app, `${trial}?type=quiz&item=${broken.id}`)).statusCode, 404);
  const listed = await json(`/api/series/discipline/${discipline.id}`);
  t.match(listed, [{ titre: 'Série prête', contenu: /Combien/ }]);
  t.equal((await call(app, { url: `/api/series/${good.id}` })).statusCode, 200);
  t.equal((await call(app, { url: `/api/series/${broken.id}` })).statusCode, 404);
  t.notMatch((await visit(app, `/user/recherche?q=palimpseste&prepa=${prepa.id}`)).body, 'Série cassée');
  t.match(await json(`/api/prepas/${prepa.id}/contenu`), { contenu: '1 leçon, 1 série' });
});

await createEnrolment(home, learner, prepa, 10);

t.test('lists, counts, search and kept copies of a learner leave such series out', async (t) => {
  const { session } = learner;
  t.notMatch((await visit(app, study, session)).body, hidden);
  t.equal((await visit(app, `${study}?type=quiz&item=${broken.id}`, session)).statusCode, 404);
  t.equal((await call(app, { url: `/api/items/${empty.id}/texte`, session })).statusCode, 404);
  t.same(await titles(`/api/series/discipline/${discipline.id}`, session), ['Série prête']);
  t.notMatch((await visit(app, '/user/recherche?q=palimpseste', session)).body, 'Série cassée');
  const { items } = await textsOf(`/api/hors-ligne/prepas/${prepa.id}`, session);
  t.same(items.map(({ id }) => id).sort(), [lesson.id, good.id].sort());
  const kept = items.find(({ id }) => id === good.id);
  t.match(kept?.contenu, 'Combien font 2 + 2');
  t.notMatch(kept?.contenu, 'parapluie', 'nor the question with a fault');
  const start = await visit(app, `/user/series/${broken.id}`, session);
  t.match(squeeze(start.body), /Cette série est en préparation/);
  const begun = await submit(app, `/user/series/${broken.id}/tentatives`, { mode: 'learn' }, session);
  t.equal(begun.headers.location, `/user/series/${broken.id}`);
});

t.test('the progress counts what can be finished, and leads to nothing else', async (t) => {
  const { session } = learner;
  const dashboard = async () => squeeze((await visit(app, '/user/dashboard', session)).body.replaceAll(/<[^>]*>/g, ' '));
  const page = async () => squeeze((await visit(app, `/user/prepa/${prepa.id}`, session)).body.replaceAll(/<[^>]*>/g, ' '));
  await finish(lesson.id);
  t.match(await page(), '1 sur 2');
  t.match(await dashboard(), 'Série prête');
  // Finished while its questions could still be asked.
  await finish(broken.id);
  t.match(await page(), '1 sur 2');
  const next = await visit(app, `${study}/suite?type=course&item=${lesson.id}`, session);
  t.match(next.body, `item=${good.id}`);
  t.notMatch(next.body, hidden);
  await finish(good.id);
  t.match(await page(), '2 sur 2');
  t.notMatch(await dashboard(), hidden);
});

t.test('administrators see them, and learners are told of a series when it can be done', async (t) => {
  const { session } = await createAdministrator(home);
  const request = (method: 'GET' | 'POST' | 'PUT', url: string, payload?: object) =>
    call(app, { method, url, session, ...(payload && { payload }) });
  t.match((await request('GET', `/api/series/discipline/${discipline.id}`)).json(), [{}, {}, {}]);
  const told = async () =>
    (await sql<{ message: string }>(databaseUrl, `select message from notification where user_id = $1`, [learner.id])).length;
  const before = await told();
  const question = (right: boolean) =>
    choiceQuestion({
      id: '',
      choices: [
        { id: '', text: 'un', right },
        { id: '', text: 'deux' },
      ],
    }).replaceAll(' data-id=""', '');
  const created = await request('POST', '/api/series', { titre: 'Nouvelle', contenu: question(false), discipline_id: discipline.id });
  t.equal(created.statusCode, 201);
  t.equal(await told(), before, 'nothing can be answered yet');
  const { id, version } = created.json();
  const mended = await request('PUT', `/api/series/${id}`, { titre: 'Nouvelle', contenu: question(true), version });
  t.equal(mended.statusCode, 200);
  t.equal(await told(), before + 1);
  const again = { titre: 'Nouvelle', contenu: `<p>Lisez.</p>${question(true)}`, version: mended.json().version };
  t.equal((await request('PUT', `/api/series/${id}`, again)).statusCode, 200);
  t.equal(await told(), before + 1, 'once');
});
