import { randomUUID } from 'node:crypto';
import t from 'tap';
import { itemKinds, kindDetails } from '../src/shared/item-kinds.ts';
import { call, createTestApp, submit } from './support/app.ts';
import { readEveryRoute } from './support/every-route.ts';
import { createAdministrator, createDiscipline, createEnrolment, createLearner, createPrepa } from './support/factories.ts';
import { choiceQuestion, numberQuestion, textQuestion } from './support/questions.ts';
import { sql } from './support/sql.ts';

// Plants a unique word in every part of the keys of questions, and looks for them in the answers of all routes to everyone but administrators.

const site = await createTestApp(t, { ITEM_READS_PER_LEARNER_10_MINUTES: '1000000' });
const { app, databaseUrl } = site;
const administrator = await createAdministrator(site, 'super_admin');
const prepa = await createPrepa(site);
const discipline = await createDiscipline(site, prepa.id);
const [learner, stranger, former] = [await createLearner(site), await createLearner(site), await createLearner(site)];
await createEnrolment(site, learner, prepa, 20);
await createEnrolment(site, former, prepa, -1);

const planted: string[] = [];
/** Returns a word, or a number with `digits`, that occurs nowhere else. */
function plant(digits = false): string {
  const number = 7_301_000 + planted.length * 17;
  planted.push(digits ? String(number) : `zqx${number}w`);
  return planted.at(-1) as string;
}
/** Letters that only right choices have in their key: a text without keys does not have this attribute. */
const markOfRight = 'data-right';

/** A text with a question of each kind. */
const text = () =>
  [
    '<p>Avant les questions.</p>',
    ...[false, true].map((several) =>
      choiceQuestion({
        id: '',
        several,
        statement: 'Énoncé visible ?',
        choices: [
          { id: '', text: 'premier choix', right: true, remark: plant() },
          { id: '', text: 'deuxième choix', remark: plant() },
          { id: '', text: 'troisième choix' },
        ],
        explanation: plant(),
      }).replaceAll(' data-id=""', ''),
    ),
    numberQuestion('', plant(true), { tolerance: `0,${plant(true)}`, unit: 'mètres' })
      .replace(' data-id=""', '')
      .replace('Par le calcul.', plant()),
    textQuestion('', [plant(), plant()]).replace(' data-id=""', ''),
    '<p>Après.</p>',
  ].join('');

const items: { kind: string; id: number }[] = [];
for (const kind of itemKinds)
  for (const numero of [1, 2]) {
    const { path, hasAnnee, hasDuree, hasCorrection, hasBareme, text: field } = kindDetails[kind];
    const saved = await call(app, {
      method: 'POST',
      url: `/api/${path}`,
      session: administrator.session,
      payload: {
        titre: `Contenu ${numero}`,
        discipline_id: discipline.id,
        [field]: text(),
        ...(hasAnnee && { annee: 2020 + numero }),
        ...(hasDuree && { duree: 30 }),
        ...(hasCorrection && { corrige: '<p>Voir le cours.</p>' }),
        ...(hasBareme && { bareme: '1 ; -0,25 ; 0' }),
      },
    });
    t.equal(saved.statusCode, 201, saved.body);
    items.push({ kind, id: saved.json().id });
  }
const questions = await sql<{ id: string; item_id: number; kind: string }>(
  databaseUrl,
  'select id, item_id, kind from question where usable order by item_id, position',
);
const series = items.filter(({ kind }) => kind === 'quiz');
for (const [index, mode] of ['apprendre', 'examen'].entries())
  await submit(app, `/user/series/${series[index]?.id}/tentatives`, { mode: mode === 'examen' ? 'exam' : 'learn' }, learner.session);
await sql(
  databaseUrl,
  'insert into diagnostic_question select $1, id, row_number() over (order by item_id, position) from question where usable and item_id = any($2::int[]) limit 10',
  [discipline.id, items.filter((_, index) => index % 2 === 0).map(({ id }) => id)],
);
const attempts = await sql<{ id: string }>(databaseUrl, 'select id from series_attempt');

const viewers = { visitor: '', learner: learner.session, stranger: stranger.session, former: former.session };

/** The calls whose answers have keys, for a learner with access alone: a kept copy judges answers without network (docs/offline.md). */
const keptCopy = /^(\/api)?\/hors-ligne\/prepas\/:id\/textes$/;
const mayHoldKeys = (url: string, viewer: string): boolean => keptCopy.test(url) && viewer === 'learner';

const leakIn = (body: string): string | undefined => [...planted, markOfRight].find((word) => body.includes(word));

t.test('every part of every key is stored, and administrators get it', async (t) => {
  t.equal(questions.length, items.length * 4);
  t.equal(attempts.length, 2);
  const seen = await Promise.all(
    items.map(
      async ({ kind, id }) =>
        (await call(app, { url: `/api/${kindDetails[kind as 'quiz'].path}/${id}`, session: administrator.session })).body,
    ),
  );
  t.same(
    planted.filter((word) => !seen.some((body) => body.includes(word))),
    [],
  );
});

t.test('no route shows a key before the answer, to a visitor or a learner, as a page or as data', async (t) => {
  const otherIds = [...questions.slice(0, 8).map(({ id }) => id), ...attempts.map(({ id }) => id)];
  const asked = await readEveryRoute(
    app,
    { prepaId: prepa.id, disciplineId: discipline.id, items, otherIds },
    viewers,
    ({ url, address, viewer, accept, body }) => {
      const leak = leakIn(body);
      if (leak && !mayHoldKeys(url, viewer)) t.fail(`${address} as ${viewer}, ${accept}: ${leak}`);
    },
  );
  for (const shown of [
    '/user/questions/:id',
    '/user/series/:id',
    '/user/series/tentatives/:id',
    '/user/prepa/:prepaId/:disciplineId',
    '/api/items/:id/texte',
    '/api/series/:id',
    '/user/prepa/consultation/:prepaId/:disciplineId/diagnostic',
  ])
    t.ok((asked.get(shown) ?? 0) > 0, `${shown} was shown ${asked.get(shown) ?? 0} times`);
});

t.test('the texts of a kept copy have every key for a learner with access, and no other call of a copy has one for anybody', async (t) => {
  const base = `/api/hors-ligne/prepas/${prepa.id}`;
  const device = { appareil: randomUUID(), disciplines: null };
  const differences = { method: 'POST', url: `${base}/differences`, payload: { tenus: [], changements: true } } as const;
  for (const [viewer, session] of Object.entries(viewers)) {
    const as = { ...(session && { session }) };
    for (const request of [{ url: `${base}/textes` }, differences]) {
      const { body } = await call(app, { ...request, ...as });
      if (viewer !== 'learner') t.equal(leakIn(body), undefined, `${request.url} as ${viewer}`);
      else
        t.same(
          planted.filter((word) => !body.includes(word)),
          [],
        );
    }
    for (const request of [
      { method: 'POST', url: `${base}/garder`, payload: device },
      { method: 'POST', url: '/api/hors-ligne/contact', payload: { appareil: device.appareil, prepas: [{ id: prepa.id }] } },
      { method: 'POST', url: '/api/hors-ligne/marques', payload: { learner: '', entrees: [] } },
      { url: `${base}/marques` },
      { url: `${base}/tailles` },
    ] as const)
      t.equal(leakIn((await call(app, { ...request, ...as })).body), undefined, `${request.url} as ${viewer}`);
  }
});

t.test('the search finds statements and choices, and neither keys nor explanations', async (t) => {
  const search = async (word: string) =>
    (await app.inject({ url: `/user/recherche?q=${encodeURIComponent(word)}`, headers: { cookie: learner.session, accept: 'text/html' } }))
      .body;
  t.match(await search('visible'), 'Contenu 1');
  t.match(await search('troisième'), 'Contenu 1');
  for (const word of planted) t.notMatch(await search(word), /Contenu [12]</, word);
});

t.test('a refused answer shows no key, and an answer shows the key of its question alone, to its learner alone', async (t) => {
  // The second lesson is closed to visitors.
  const one = questions.find(({ kind, item_id }) => kind === 'one' && item_id === items[1]?.id);
  if (!one) return t.fail('no question');
  const send = (session: string | null, payload: object) =>
    call(app, {
      method: 'POST',
      url: `/api/questions/${one.id}/reponse`,
      payload: { cle: randomUUID(), ...payload },
      ...(session && { session }),
    });
  for (const [session, payload] of [
    [learner.session, {}],
    [learner.session, { choix: ['xxxxxxxxxxxx'] }],
    [null, { passe: true }],
    [stranger.session, { passe: true }],
    [former.session, { passe: true }],
  ] as const) {
    const { body, statusCode } = await send(session, payload);
    t.ok(statusCode >= 400, body);
    t.equal(leakIn(body), undefined);
  }
  const answered = await send(learner.session, { passe: true });
  t.equal(answered.statusCode, 200);
  t.equal(planted.filter((word) => answered.body.includes(word)).length, 3, 'two remarks and the explanation');
  for (const cookie of Object.values(viewers)) {
    const { body } = await app.inject({ url: `/user/questions/${one.id}`, headers: { cookie, accept: 'text/html' } });
    t.equal(leakIn(body), undefined);
  }
});

t.test("an answer of 'Comme à l'examen' shows no key before the end", async (t) => {
  const [exam] = await sql<{ id: string; item_id: number }>(databaseUrl, `select id, item_id from series_attempt where mode = 'exam'`);
  for (const question of questions.filter(({ item_id }) => item_id === exam?.item_id)) {
    const url = `/api/series/tentatives/${exam?.id}/questions/${question.id}`;
    const { body, statusCode } = await call(app, { method: 'POST', url, session: learner.session, payload: { passe: true } });
    t.equal(statusCode, 200);
    t.equal(leakIn(body), undefined);
  }
  const { body } = await app.inject({
    url: `/user/series/tentatives/${exam?.id}`,
    headers: { cookie: learner.session, accept: 'text/html' },
  });
  t.match(body, 'Énoncé visible');
  t.equal(leakIn(body), undefined);
});

t.test('a diagnostic shows no key before its answers are sent, and afterwards the keys of its questions alone', async (t) => {
  const url = `/user/prepa/consultation/${prepa.id}/${discipline.id}/diagnostic`;
  const chosen = await sql<{ id: string; item_id: number }>(
    databaseUrl,
    'select q.id, q.item_id from diagnostic_question g join question q on q.id = g.question_id order by g.position',
  );
  const ids = chosen.map(({ id }) => id);
  t.equal(ids.length, 10);
  const sheet = { essai: randomUUID(), questions: ids.join(','), [`r-${ids[0]}`]: '' };
  for (const [viewer, cookie] of Object.entries(viewers))
    for (const fields of [{ ...sheet, [`r-${ids[0]}`]: 'xxxxxxxxxxxx' }, { ...sheet, questions: '' }, sheet]) {
      const { body, statusCode } = await submit(app, url, fields, cookie);
      t.equal(statusCode, 400, viewer);
      t.match(body, 'Énoncé visible');
      t.equal(leakIn(body), undefined, viewer);
    }
  const judged = await submit(app, url, { ...sheet, incomplet: 'oui' });
  t.equal(judged.statusCode, 200);
  const own = await sql<{ key: object }>(databaseUrl, 'select key from question where id = any($1)', [ids]);
  const words = planted.filter((word) => JSON.stringify(own).includes(word));
  t.ok(words.length > 10);
  t.same(planted.filter((word) => judged.body.includes(word)).sort(), words.sort());
});
