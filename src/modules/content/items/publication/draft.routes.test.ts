import t from 'tap';
import { call, createTestApp, visit } from '../../../../../test/support/app.ts';
import {
  createAdministrator,
  createDiscipline,
  createEnrolment,
  createItem,
  createLearner,
  createPrepa,
} from '../../../../../test/support/factories.ts';
import { choiceQuestion } from '../../../../../test/support/questions.ts';
import { sql } from '../../../../../test/support/sql.ts';
import { publishDue } from '../../index.ts';

// Drafts: kept, changed by two people, published alone and together, planned, and discarded (decision 129).

const site = await createTestApp(t);
const { app } = site;
const { session, username } = await createAdministrator(site);
const other = await createAdministrator(site);

const rows = <Row extends object>(statement: string, values: unknown[] = []) => sql<Row>(site.databaseUrl, statement, values);
const send = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload?: object, as = session) => {
  const answer = await call(app, { method, url: `/api${url}`, session: as, ...(payload ? { payload } : {}) });
  return { status: answer.statusCode, body: answer.json() };
};
const draftOf = async (form: object, path = 'lecons') => {
  const { status, body } = await send('POST', `/${path}`, { ...form, brouillon: true });
  t.equal(status, 201, JSON.stringify(body));
  return body.brouillon;
};
const listOf = async (disciplineId: number, path = 'lecons') =>
  (await send('GET', `/${path}/discipline/${disciplineId}?textes=non`)).body.map(({ titre }: { titre: string }) => titre);

t.test('a new draft may be incomplete; it is no item until it is published, at the end of the list and under its own id', async (t) => {
  const { id: discipline_id } = await createDiscipline(site);
  await createItem(site, discipline_id, { titre: 'Les suites' });
  const draft = await draftOf({ discipline_id, contenu: '<p>Une <b>limite</b>.</p>', remarques: ['Une image manque.'] });
  t.match(draft, { type: 'course', titre: '', revision: 1, version: null, publie: false, publication: null, saved_by: username });
  t.same(draft.remarques, ['Une image manque.']);
  t.equal(draft.contenu, '<p>Une <strong>limite</strong>.</p>');
  t.same(await listOf(discipline_id), ['Les suites']);
  t.equal((await send('GET', `/lecons/${draft.id}`)).status, 404);

  const refused = await send('POST', `/brouillons/${draft.id}/publication`);
  t.equal(refused.status, 400);
  t.same(refused.body.errors, [{ field: 'titre', message: 'Le titre est requis' }]);

  const saved = await send('PUT', `/brouillons/${draft.id}`, { titre: 'Les limites', revision: 1 });
  t.match(saved.body.brouillon, { titre: 'Les limites', revision: 2, contenu: draft.contenu, remarques: ['Une image manque.'] });
  const published = await send('POST', `/brouillons/${draft.id}/publication`, { revision: 2 });
  t.equal(published.status, 200, JSON.stringify(published.body));
  t.match(published.body, { id: draft.id, titre: 'Les limites', numero_page: 2, version: 1, contenu: draft.contenu });
  t.same(await listOf(discipline_id), ['Les suites', 'Les limites']);
  t.equal((await send('GET', `/brouillons/${draft.id}`)).status, 404);
  t.equal((await send('POST', `/brouillons/${draft.id}/publication`)).status, 404, 'published once');
});

t.test('the draft of a published item leaves it as it is; its publication is a new version', async (t) => {
  const { id: discipline_id } = await createDiscipline(site);
  const { id } = await createItem(site, discipline_id, { titre: 'Les suites', contenu: '<p>Avant.</p>' });
  const begun = await send('PUT', `/brouillons/${id}`, { titre: 'Les suites', contenu: '<p>Après.</p>', version: 1 });
  t.equal(begun.status, 200, JSON.stringify(begun.body));
  t.match(begun.body.brouillon, { id, publie: true, version: 1, revision: 1 });
  t.match((await send('GET', `/lecons/${id}`)).body, { contenu: '<p>Avant.</p>', version: 1 });
  t.match((await send('GET', `/brouillons/discipline/${discipline_id}`)).body, [{ id, titre: 'Les suites', publie: true }]);
  const published = await send('POST', `/brouillons/${id}/publication`, { revision: 1 });
  t.match(published.body, { id, contenu: '<p>Après.</p>', version: 2, numero_page: 1 });
  t.same((await send('GET', `/brouillons/discipline/${discipline_id}`)).body, []);
});

t.test('a publication over a version that somebody saved meanwhile is a conflict, and the draft stays', async (t) => {
  const { id: discipline_id } = await createDiscipline(site);
  const { id } = await createItem(site, discipline_id, { titre: 'Les suites', contenu: '<p>Avant.</p>' });
  await send('PUT', `/brouillons/${id}`, { titre: 'Les suites', contenu: '<p>Du brouillon.</p>', version: 1 });
  await send('PUT', `/lecons/${id}`, { titre: 'Les suites', contenu: '<p>Enregistré.</p>', version: 1 }, other.session);
  const conflict = await send('POST', `/brouillons/${id}/publication`);
  t.equal(conflict.status, 409);
  t.match(conflict.body, { current: { contenu: '<p>Enregistré.</p>' }, changedBy: other.username });
  t.match((await send('GET', `/brouillons/${id}`)).body, { contenu: '<p>Du brouillon.</p>' });
});

t.test('two people who save one draft: the second is told, and gets the current one', async (t) => {
  const { id: discipline_id } = await createDiscipline(site);
  const { id } = await draftOf({ discipline_id, titre: 'Les suites', contenu: '<p>Un.</p>' });
  await send('PUT', `/brouillons/${id}`, { titre: 'Les suites', contenu: '<p>Deux.</p>', revision: 1 }, other.session);
  const conflict = await send('PUT', `/brouillons/${id}`, { titre: 'Les suites', contenu: '<p>Trois.</p>', revision: 1 });
  t.equal(conflict.status, 409);
  t.match(conflict.body, { current: { contenu: '<p>Deux.</p>', revision: 2 }, changedBy: other.username });
  const late = await send('POST', `/brouillons/${id}/publication`, { revision: 1 });
  t.equal(late.status, 409, 'what is published is what the administrator saw');
  const both = await Promise.all([1, 2].map(() => send('POST', `/brouillons/${id}/publication`)));
  t.same(both.map(({ status }) => status).sort(), [200, 404], 'two publications at once make one item');
  t.same(await listOf(discipline_id), ['Les suites']);
});

t.test('a save sent again after its answer was lost is no conflict and writes nothing', async (t) => {
  const { id: discipline_id } = await createDiscipline(site);
  const { id } = await draftOf({ discipline_id, titre: 'Les suites', contenu: '<p>Un.</p>' });
  const second = { titre: 'Les suites', contenu: '<p>Deux.</p>', revision: 1 };
  for (const as of ['first', 'again']) {
    const { status, body } = await send('PUT', `/brouillons/${id}`, second);
    t.equal(status, 200, as);
    t.match(body.brouillon, { revision: 2, contenu: '<p>Deux.</p>' }, as);
  }
  for (const [what, other] of Object.entries({
    title: { titre: 'Suites' },
    text: { contenu: '<p>Un.</p>' },
    remarks: { remarques: ['x'] },
  }))
    t.equal((await send('PUT', `/brouillons/${id}`, { ...second, ...other })).status, 409, `another ${what}`);

  const item = await createItem(site, discipline_id, { titre: 'Les limites', contenu: '<p>Avant.</p>' });
  const begin = { titre: 'Les limites', contenu: '<p>Après.</p>', version: 1, revision: null };
  for (const as of ['first', 'again'])
    t.match((await send('PUT', `/brouillons/${item.id}`, begin)).body.brouillon, { revision: 1, contenu: '<p>Après.</p>' }, as);
  t.equal((await send('PUT', `/brouillons/${item.id}`, { ...begin, contenu: '<p>Autre.</p>' })).status, 409);
});

t.test('a time of publication set again after its answer was lost is no conflict, unless the text was saved since', async (t) => {
  const { id: discipline_id } = await createDiscipline(site);
  const { id } = await draftOf({ discipline_id, titre: 'Les suites', contenu: '<p>Un.</p>' });
  const publication = new Date(site.clock.now().getTime() + 3_600_000).toISOString();
  const plan = (revision: number) => send('PUT', `/brouillons/${id}/publication`, { publication, revision });
  site.clock.advance(1_000);
  for (const as of ['first', 'again']) t.match((await plan(1)).body, { publication, revision: 2 }, as);
  const entries = await rows(`select 1 from audit_entry where subject_id = $1 and action = 'updated'`, [String(id)]);
  t.equal(entries.length, 1);
  site.clock.advance(1_000);
  await send('PUT', `/brouillons/${id}`, { titre: 'Les suites', contenu: '<p>Deux.</p>', revision: 2 }, other.session);
  t.equal((await plan(2)).status, 409, 'the administrator has not seen the new text');
  t.equal((await plan(1)).status, 409);
  await send('DELETE', `/brouillons/${id}`);
});

t.test("a save of the published item that contains its draft removes the draft, and leaves somebody else's newer one", async (t) => {
  const { id: discipline_id } = await createDiscipline(site);
  const { id } = await createItem(site, discipline_id, { titre: 'Les suites', contenu: '<p>Avant.</p>' });
  await send('PUT', `/brouillons/${id}`, { titre: 'Les suites', contenu: '<p>Après.</p>' });
  await send('PUT', `/lecons/${id}`, { titre: 'Les suites', contenu: '<p>Après.</p>', version: 1, brouillon: 1 });
  t.equal((await send('GET', `/brouillons/${id}`)).status, 404);
  await send('PUT', `/brouillons/${id}`, { titre: 'Les suites', contenu: '<p>A.</p>' });
  await send('PUT', `/brouillons/${id}`, { titre: 'Les suites', contenu: '<p>B.</p>', revision: 1 }, other.session);
  t.equal((await send('PUT', `/lecons/${id}`, { titre: 'Suites', contenu: '<p>A.</p>', version: 2, brouillon: 1 })).status, 200);
  t.match((await send('GET', `/brouillons/${id}`)).body, { contenu: '<p>B.</p>', revision: 2 });
  t.equal((await send('DELETE', `/lecons/${id}`)).status, 200);
  t.equal((await send('GET', `/brouillons/${id}`)).status, 404, 'the draft is deleted with its item');
});

t.test('several drafts are published in the given order; one that is refused stays and stops no other', async (t) => {
  const { id: discipline_id } = await createDiscipline(site);
  const drafts = [];
  for (const titre of ['Chapitre 1', 'Un titre : refusé', 'Chapitre 2']) drafts.push(await draftOf({ discipline_id, titre }));
  const { body } = await send('POST', '/brouillons/publication', { ids: drafts.map(({ id }) => id) });
  t.match(body, [{ publie: true }, { publie: false, errors: [{ field: 'titre' }] }, { publie: true }]);
  t.same(await listOf(discipline_id), ['Chapitre 1', 'Chapitre 2']);
  t.match((await send('GET', `/brouillons/discipline/${discipline_id}`)).body, [{ titre: 'Un titre : refusé' }]);
});

t.test('several drafts are published only as they were seen: not a later text, nor a change of an item published meanwhile', async (t) => {
  const { id: discipline_id } = await createDiscipline(site);
  const drafts = [];
  for (const titre of ['Inchangé', 'Relu', 'Paru']) drafts.push(await draftOf({ discipline_id, titre, contenu: '<p>Un.</p>' }));
  const [, changed, published] = drafts as [{ id: number }, { id: number }, { id: number }];
  await send('PUT', `/brouillons/${changed.id}`, { titre: 'Relu', contenu: '<p>Un brouillon de', revision: 1 }, other.session);
  await send('POST', `/brouillons/${published.id}/publication`, {});
  // The draft of the published item has the number of the one that was seen.
  t.equal((await send('PUT', `/brouillons/${published.id}`, { titre: 'Paru', contenu: '<p>À demi' })).body.brouillon.revision, 1);
  const vus = drafts.map(() => ({ revision: 1, version: null }));
  const ids = drafts.map(({ id }) => id);
  const { body } = await send('POST', '/brouillons/publication', { ids, vus });
  t.match(body, [
    { publie: true },
    { publie: false, message: /modifié entre-temps par/ },
    { publie: false, message: /modifié entre-temps/ },
  ]);
  t.same(await listOf(discipline_id), ['Paru', 'Inchangé']);
  t.equal((await send('POST', '/brouillons/publication', { ids, vus: vus.slice(1) })).status, 400);
});

t.test('a planned draft is published once at its time, by any number of passes, and learners are told then', async (t) => {
  const prepa = await createPrepa(site);
  const { id: discipline_id } = await createDiscipline(site, prepa.id);
  const learner = await createLearner(site);
  await createEnrolment(site, learner, prepa, 30);
  const { id } = await draftOf({ discipline_id, titre: 'Les suites', contenu: '<p>Un texte.</p>' });
  const at = new Date(site.clock.now().getTime() + 3_600_000);
  const plan = (publication: string | null) => send('PUT', `/brouillons/${id}/publication`, { publication });
  t.match((await plan(site.clock.now().toISOString())).body.errors, [{ field: 'publication', message: 'Choisissez une date à venir' }]);
  t.equal((await plan('2027-02-30T08:00:00Z')).status, 400);
  t.match((await plan(at.toISOString())).body, { publication: at.toISOString(), revision: 2 });

  const pass = () => publishDue(site.kernel.fork(), site.kernel.context);
  t.same(await pass(), { published: 0, refused: 0 });
  site.clock.advance(3_600_000);
  const passes = await Promise.all([pass(), pass(), pass()]);
  t.equal(
    passes.reduce((sum, { published }) => sum + published, 0),
    1,
  );
  t.same(await listOf(discipline_id), ['Les suites']);
  t.equal((await rows('select id from notification where user_id = $1', [learner.id])).length, 1);
});

t.test('a planned draft that can no longer be published stays, and says why', async (t) => {
  const { id: discipline_id } = await createDiscipline(site);
  const { id } = await draftOf({ discipline_id, titre: 'Les suites' });
  t.match(
    (await send('PUT', `/brouillons/${id}/publication`, { publication: new Date(site.clock.now().getTime() + 60_000).toISOString() }))
      .status,
    200,
  );
  await send('PUT', `/brouillons/${id}`, { titre: 'x', revision: 2 });
  site.clock.advance(60_000);
  t.same(await publishDue(site.kernel.fork(), site.kernel.context), { published: 0, refused: 1 });
  t.match((await send('GET', `/brouillons/${id}`)).body, { publication: null, echec: /titre/i, titre: 'x' });
  const incomplete = await draftOf({ discipline_id });
  const refused = await send('PUT', `/brouillons/${incomplete.id}/publication`, { publication: '2030-01-01T08:00:00+01:00' });
  t.equal(refused.status, 400);
  t.match(refused.body.errors, [{ field: 'publication' }, { field: 'titre' }]);
});

t.test('a discarded draft is kept in the journal; its images stay as long as a draft shows them', async (t) => {
  const { id: discipline_id } = await createDiscipline(site);
  const { id } = await draftOf({ discipline_id, titre: 'Les suites', contenu: '<p>Texte à garder.</p>' });
  t.equal((await send('DELETE', `/brouillons/${id}`)).status, 200);
  const [entry] = await rows<{ before: { contenu: string } }>(
    `select before from audit_entry where subject_id = $1 and action = 'deleted'`,
    [String(id)],
  );
  t.equal(entry?.before.contenu, '<p>Texte à garder.</p>');
  t.equal((await send('DELETE', `/brouillons/${id}`)).status, 404);
});

t.test('a draft of an import keeps the name of its file, and as many remarks as a save shows', async (t) => {
  const { id: discipline_id } = await createDiscipline(site);
  const remarques = Array.from({ length: 60 }, (_, index) => `Remarque ${index + 1} : ${'x'.repeat(1_200)}`);
  const { id } = await draftOf({ discipline_id, source: 'Suites.docx', remarques });
  const { body } = await send('GET', `/brouillons/${id}`);
  t.equal(body.source, 'Suites.docx');
  t.equal(body.remarques.length, 51);
  t.match([body.remarques[0], body.remarques.at(-1)], [/^Remarque 1 : x+$/, 'Et 10 autres remarques.']);
  t.match((await send('PUT', `/brouillons/${id}`, { titre: 'Les suites', revision: 1 })).body.brouillon, { source: 'Suites.docx' });
  const contenu = { type: 'doc', content: [{ type: 'formula_block', attrs: { latex: '\\frac{1' } }] };
  const further = await draftOf({ discipline_id, contenu, source: 'Limites.docx', remarques: ['Une image manque.'] });
  t.match(further.remarques, ['Une image manque.', /^Formule gardée telle quelle, à corriger/], 'and what its creation could not keep');
});

t.test('a text that is cut within a character is kept without its half', async (t) => {
  const { id: discipline_id } = await createDiscipline(site);
  const { id } = await draftOf({ discipline_id, remarques: [`${'x'.repeat(999)}😀`] });
  t.same((await send('GET', `/brouillons/${id}`)).body.remarques, ['x'.repeat(999)]);
  const saved = await send('PUT', `/brouillons/${id}`, {
    titre: 'Suites',
    revision: 1,
    remarques: ['a\ud83d', '😀'],
    intitule: `${'x'.repeat(191)}😀`,
  });
  t.same([saved.status, saved.body.brouillon.remarques], [200, ['a', '😀']]);
  t.equal((await send('POST', `/brouillons/${id}/copie`)).body.brouillon.intitule, `${'x'.repeat(191)} (copie)`);
});

t.test('a new item is published only where the form does not say otherwise: another type is a fault', async (t) => {
  const { id: discipline_id } = await createDiscipline(site);
  const create = (brouillon: unknown) => send('POST', '/lecons', { discipline_id, titre: 'Les suites', contenu: '<p>a</p>', brouillon });
  for (const given of ['true', 1, 'false', 0, '', {}, [true]])
    t.match(await create(given), { status: 400, body: { errors: [{ field: 'brouillon' }] } }, JSON.stringify(given));
  t.same(await listOf(discipline_id), []);
  t.equal((await create(null)).status, 201);
  t.same(await listOf(discipline_id), ['Les suites']);
});

t.test('what no draft can hold is refused', async (t) => {
  const { id: discipline_id } = await createDiscipline(site);
  const create = (form: object) => send('POST', '/lecons', { discipline_id, brouillon: true, ...form });
  t.match((await create({ titre: 'x'.repeat(201) })).body.errors, [{ field: 'titre', message: 'Le titre dépasse 200 caractères' }]);
  t.match((await create({ source: 'x'.repeat(256) })).body.errors, [{ field: 'source', message: /255 caractères/ }]);
  t.equal((await create({ titre: ['a'] })).status, 400);
  t.equal((await create({ titre: 'a\u0000b' })).status, 400);
  t.equal((await create({ discipline_id: 999_999 })).status, 400);
  t.equal((await send('PUT', '/brouillons/999999', { titre: 'a' })).status, 404);
  t.equal((await send('PUT', '/brouillons/abc', { titre: 'a' })).status, 400);
  const { id } = await draftOf({ discipline_id });
  t.equal((await send('PUT', `/brouillons/${id}`, { titre: 'a', revision: 'b' })).status, 400);
});

t.test('the preview shows the draft as learners will see it, to administrators alone', async (t) => {
  const { id: discipline_id } = await createDiscipline(site);
  const item = await createItem(site, discipline_id, { titre: 'Les suites', contenu: '<p>Publié.</p>' });
  const url = `/admin/apercu/${item.id}`;
  t.match((await visit(app, url, session)).body, 'Publié.');
  await send('PUT', `/brouillons/${item.id}`, {
    titre: 'Suites',
    contenu: `<p>Du brouillon.</p>${choiceQuestion({
      id: 'abcdefghijkl',
      choices: [
        { id: 'abcdefghijk1', text: 'Oui', right: true },
        { id: 'abcdefghijk2', text: 'Non' },
      ],
    })}`,
  });
  const { body } = await visit(app, `${url}?largeur=telephone`, session);
  t.match(body, /Du brouillon\.[\s\S]*<form inert class="question"/);
  t.match(body, `Brouillon de ${username}`);
  t.notMatch(body, 'data-right');
  const learner = await createLearner(site);
  for (const as of [learner.session, undefined]) t.notMatch((await visit(app, url, as)).body, 'Du brouillon');
  t.equal((await visit(app, '/admin/apercu/999999', session)).statusCode, 404);
});

t.test('a copy is a draft with questions of its own; a draft is copied before the published text', async (t) => {
  const { id: discipline_id } = await createDiscipline(site);
  const choices = [
    { id: 'abcdefghijk3', text: 'Oui', right: true },
    { id: 'abcdefghijk4', text: 'Non' },
  ];
  const created = await send('POST', '/lecons', {
    discipline_id,
    titre: 'Les suites',
    contenu: `<p>Un texte.</p>${choiceQuestion({ id: 'abcdefghijkm', choices, explanation: 'Parce que.' })}`,
  });
  const { id } = created.body;
  const copy = (await send('POST', `/brouillons/${id}/copie`)).body.brouillon;
  t.match(copy, { titre: 'Les suites - copie', publie: false, contenu: /Un texte\.[\s\S]*data-right[\s\S]*Parce que/ });
  const published = await send('POST', `/brouillons/${copy.id}/publication`);
  t.equal(published.status, 200);
  t.equal((await rows('select id from question where item_id = any($1)', [[id, copy.id]])).length, 2, 'each item has its question');
  t.equal((await rows('select distinct id from question where item_id = $1 and position is not null', [id])).length, 1);
  await send('PUT', `/brouillons/${id}`, { titre: 'Les suites', contenu: '<p>Du brouillon.</p>' });
  t.equal((await send('POST', `/brouillons/${id}/copie`)).body.brouillon.contenu, '<p>Du brouillon.</p>');
  t.equal((await send('POST', '/brouillons/999999/copie')).status, 404);
});

t.test('a discipline lists each of its drafts, and refuses one more than it may have', async (t) => {
  const { id: discipline_id } = await createDiscipline(site);
  const first = await draftOf({ discipline_id });
  await rows(
    `insert into item_draft (id, discipline_id, kind, titre, annee, duree, bareme, contenu, saved_at, saved_by)
     select nextval('item_id_seq'), $1, 'course', '', '', '', '', '', now(), '' from generate_series(1, 998)`,
    [discipline_id],
  );
  const last = await draftOf({ discipline_id });
  const { body: listed } = await send('GET', `/brouillons/discipline/${discipline_id}`);
  t.equal(listed.length, 1000);
  t.match([listed[0], listed.at(-1)], [{ id: first.id }, { id: last.id }]);
  t.match(await send('POST', '/lecons', { discipline_id, brouillon: true }), { status: 409, body: { message: /1000 brouillons/ } });
});
