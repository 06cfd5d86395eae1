import t from 'tap';
import { type ItemKind, itemKinds, kindDetails } from '../src/shared/item-kinds.ts';
import { call, createTestApp, submit, visit } from './support/app.ts';
import { readEveryRoute } from './support/every-route.ts';
import { createAdministrator, createDiscipline, createEnrolment, createLearner, createPrepa } from './support/factories.ts';
import { numberQuestion } from './support/questions.ts';
import { sql } from './support/sql.ts';

// Plants a unique word in the title and another one in the full title of items, and looks for them in the answers of all routes: learners
// and visitors see the full title wherever an item is named, and never the title.

const site = await createTestApp(t, { ITEM_READS_PER_LEARNER_10_MINUTES: '1000000' });
const { app, databaseUrl } = site;
const { session } = await createAdministrator(site, 'super_admin');
const prepa = await createPrepa(site);
const discipline = await createDiscipline(site, prepa.id);
const [learner, stranger] = [await createLearner(site), await createLearner(site)];
await createEnrolment(site, learner, prepa, 20);

const send = async (method: 'POST' | 'PUT', url: string, payload: object, cookie = session) => {
  const answer = await call(app, { method, url, session: cookie, payload });
  t.ok(answer.statusCode < 300, `${method} ${url}: ${answer.statusCode} ${answer.statusCode < 300 ? '' : answer.body}`);
  return answer.json();
};

interface Planted {
  kind: ItemKind;
  id: number;
  /** The word of the title, and that of the full title. */
  short: string;
  full: string;
  question: string;
}
const items: Planted[] = [];
for (const [index, kind] of itemKinds.entries()) {
  const { path, text, hasAnnee, hasCorrection, hasBareme } = kindDetails[kind];
  const planted = { kind, short: `Zqs${7301 + index * 17}w`, full: `Zqf${9311 + index * 13}w`, question: `planted0000${index}` };
  const { id } = await send('POST', `/api/${path}`, {
    titre: `Repères ${planted.short}`,
    intitule: `  L'année 1960 : « repères » & <dates>, ${planted.full} ?  `,
    discipline_id: discipline.id,
    [text]: numberQuestion(planted.question, '42'),
    ...(hasAnnee && { annee: 2021 }),
    ...(hasCorrection && { corrige: '<p>Voir le cours.</p>' }),
    ...(hasBareme && { bareme: '1 ; 0 ; 0' }),
  });
  items.push({ ...planted, id });
}
const of = (kind: ItemKind) => items.find((item) => item.kind === kind) as Planted;
const study = `/user/prepa/${prepa.id}/${discipline.id}`;

// Everything that leaves a trace of an item on the learner's other pages.
for (const { id, question } of items) {
  const done = await submit(
    app,
    `/user/contenus/${id}/signaler`,
    { probleme: 'texte', endroit: 'Ligne 1', message: 'À revoir.' },
    learner.session,
  );
  t.equal(done.statusCode, 303);
  await submit(app, `/user/questions/${question}`, { texte: '7' }, learner.session);
}
for (const kind of ['exercise', 'pastExam'] as const)
  await submit(app, `${study}/entrainement`, { type: kind, item: String(of(kind).id), verdict: 'a_revoir', points: '3' }, learner.session);
for (const report of await sql<{ id: number }>(databaseUrl, 'select id from item_report'))
  t.equal((await submit(app, `/admin/signalements/${report.id}/traiter`, { reponse: 'Merci.' }, session)).statusCode, 303);
await sql(
  databaseUrl,
  'insert into diagnostic_question select $1, id, row_number() over (order by item_id, position) from question where usable and item_id = $2',
  [discipline.id, of('course').id],
);
await sql(
  databaseUrl,
  `insert into practice_mark (user_id, cle, item_id, verdict, points, possible, marked_at) select $1, gen_random_uuid(), $2, 'reussi', 12, 20, $3::timestamptz + d * interval '1 hour' from generate_series(0, 1) d`,
  [learner.id, of('pastExam').id, site.clock.now()],
);
const attempt = String(
  (await submit(app, `/user/series/${of('quiz').id}/tentatives`, { mode: 'learn' }, learner.session)).headers.location,
);
const sitting = String((await submit(app, '/user/seance', { prepa: String(prepa.id) }, learner.session)).headers.location);

const viewers = { visitor: '', learner: learner.session, stranger: stranger.session };
/** The calls of items and lists have both titles. */
const hasBoth = (url: string): boolean => itemKinds.some((kind) => url.replace(/^\/api/, '').startsWith(`/${kindDetails[kind].path}`));

t.test('learners and visitors see full titles and no title on every route', async (t) => {
  /** Routes on which a full title was seen. */
  const named = new Set<string>();
  await readEveryRoute(
    app,
    {
      prepaId: prepa.id,
      disciplineId: discipline.id,
      items,
      otherIds: [...items.map(({ question }) => question), ...[attempt, sitting].map((address) => address.split('/').at(-1) ?? '')],
    },
    viewers,
    ({ url, address, viewer, accept, body }) => {
      const leak = items.find(({ short }) => body.includes(short));
      if (leak && !hasBoth(url)) t.fail(`${address} as ${viewer}, ${accept}: ${leak.short}`);
      if (items.some(({ full }) => body.includes(full))) named.add(url);
    },
  );
  for (const url of [
    '/user/dashboard',
    '/user/prepa/:prepaId/:disciplineId',
    '/user/prepa/:prepaId/:disciplineId/entrainement',
    '/user/prepa/:prepaId/:disciplineId/suite',
    '/user/prepa/consultation/:prepaId/:disciplineId',
    '/user/a-revoir',
    '/user/epreuves',
    '/user/erreurs',
    '/user/progression',
    '/user/notifications',
    '/user/contenus/:id/signaler',
    '/user/questions/:id',
    '/user/series/:id',
    '/user/series/tentatives/:id',
    '/api/items/:id/texte',
    '/api/lecons/:id',
    '/api/lecons/discipline/:id',
    '/api/users/notifications',
  ])
    t.ok(named.has(url), `${url} names an item${named.has(url) ? '' : `; these do: ${[...named].join(' ')}`}`);
});

t.test('the study page shows it as a heading, in the browser title and in the contents, as text', async (t) => {
  const { id, full } = of('pastExam');
  const { body } = await visit(app, `${study}?type=pastExam&item=${id}`, learner.session);
  t.match(body.match(/<title>.*?<\/title>/s)?.[0], full);
  t.ok(body.split(full).length >= 4, 'heading, title and contents');
  t.notMatch(body, '<dates>');
});

t.test('the search finds and ranks by the full title, of locked items too, and not by the title', async (t) => {
  for (const { kind, full, short } of items) {
    const found = await visit(app, `/user/recherche?q=${full}`, learner.session);
    t.match(found.body, new RegExp(`result__title[^]*${full}`), kind);
    t.notMatch((await visit(app, `/user/recherche?q=${short}`, learner.session)).body, 'class="result__title"', kind);
  }
  await send('POST', '/api/lecons', { titre: 'Autre', discipline_id: discipline.id, contenu: '<p>zqword zqword zqword zqword</p>' });
  const { id } = of('exercise');
  await send('PUT', `/api/exercices/${id}`, { titre: 'Repères', intitule: 'Zqword : électromagnétisme' });
  const { body } = await visit(app, '/user/recherche?q=zqword', learner.session);
  t.ok(body.indexOf('Zqword') < body.indexOf('Autre</a>') && body.includes('Autre</a>'), 'a match in the full title comes first');
  const slip = await visit(app, '/user/recherche?q=electromagnetisne', learner.session);
  t.match(slip.body, /Vouliez-vous.*>électromagnétisme</, 'a slip is corrected to a word of the full title');
});

t.test('a kept copy has it as its title', async (t) => {
  const base = `/api/hors-ligne/prepas/${prepa.id}`;
  const kept = await call(app, { url: `${base}/textes`, session: learner.session });
  const { full, short } = of('course');
  t.match(kept.body, full);
  t.notMatch(kept.body, short);
});

t.test('administrators read, change, remove and restore both', async (t) => {
  const { id, short, full } = of('course');
  const url = `/api/lecons/${id}`;
  const stored = async () => (await call(app, { url, session })).json();
  const intitule = `L'année 1960 : « repères » & <dates>, ${full} ?`;
  t.match(await stored(), { titre: `Repères ${short}`, intitule }, 'without the blanks around it');
  const later = await send('PUT', url, { titre: 'Repères nouveaux' });
  t.match(later, { titre: 'Repères nouveaux', intitule, version: 2 }, 'omitted: it stays');
  t.match(await send('PUT', url, { titre: 'Repères nouveaux', intitule: ' ' }), { intitule: null, version: 3 });
  t.match((await visit(app, `${study}?type=course&item=${id}`, learner.session)).body, 'Repères nouveaux');
  t.match((await visit(app, '/user/recherche?q=nouveaux', learner.session)).body, 'class="result__title"');
  t.match(await send('POST', `${url}/versions/1/restore`, {}), { titre: `Repères ${short}`, intitule });
  for (const [wrong, message] of [
    ['ab', /au moins 3 caractères/],
    ['x'.repeat(201), /ne doit pas dépasser 200 caractères/],
    ['Un\u0000nul', /ne peuvent pas être enregistrés/],
    ['Une\ttabulation', /ne peuvent pas être enregistrés/],
    ['Une moitié \ud800 de signe', /ne peuvent pas être enregistrés/],
  ] as const) {
    const refused = await call(app, { method: 'PUT', url, session, payload: { titre: 'Repères', intitule: wrong } });
    t.match(refused, { statusCode: 400 });
    t.match(refused.json().errors, [{ field: 'intitule', message }]);
  }
  t.match(await send('PUT', url, { titre: 'Repères', intitule: '€'.repeat(200) }), { intitule: '€'.repeat(200) });
});

t.test('a draft keeps it as typed, its preview shows it, and the publication checks it', async (t) => {
  const { brouillon } = await send('POST', '/api/lecons', {
    titre: 'Un brouillon',
    intitule: 'no',
    discipline_id: discipline.id,
    contenu: '<p>Texte.</p>',
    brouillon: true,
  });
  t.match(brouillon, { intitule: 'no' });
  const publish = () => call(app, { method: 'POST', url: `/api/brouillons/${brouillon.id}/publication`, session, payload: {} });
  t.match((await publish()).json().errors, [{ field: 'intitule' }]);
  await send('PUT', `/api/brouillons/${brouillon.id}`, { titre: 'Un brouillon', intitule: 'Pourquoi 1960 ?', revision: 1 });
  t.match((await visit(app, `/admin/apercu/${brouillon.id}`, session)).body, /<h1>Pourquoi <[^>]*>1960.\?<\/span><\/h1>/);
  const kept = await send('PUT', `/api/brouillons/${brouillon.id}`, { titre: 'Un brouillon', revision: 2 });
  t.match(kept.brouillon, { intitule: 'Pourquoi 1960 ?' }, 'omitted: it stays');
  const { id, full } = of('quiz');
  t.match((await send('PUT', `/api/brouillons/${id}`, { titre: 'Série' })).brouillon.intitule, full, 'as in the published item');
  const copied = await send('POST', `/api/brouillons/${brouillon.id}/copie`, {});
  t.match(copied.brouillon, { titre: 'Un brouillon - copie', intitule: 'Pourquoi 1960 ? (copie)' });
  t.match((await publish()).json(), { titre: 'Un brouillon', intitule: 'Pourquoi 1960 ?' });
});
