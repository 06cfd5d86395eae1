import t from 'tap';
import { call, createTestApp } from '../../../../../test/support/app.ts';
import { createAdministrator, createDiscipline, createItem } from '../../../../../test/support/factories.ts';
import { sql } from '../../../../../test/support/sql.ts';

// Creating, saving, moving, deleting and restoring lessons, exercises and past exams (specification §4, §5, §7), and series.

const site = await createTestApp(t);
const { app } = site;
const { session, username } = await createAdministrator(site);
const other = await createAdministrator(site);

const rows = <Row extends object>(statement: string, values: unknown[] = []) => sql<Row>(site.databaseUrl, statement, values);
const send = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload?: object, as = session) => {
  const answer = await call(app, { method, url, session: as, ...(payload ? { payload } : {}) });
  return { status: answer.statusCode, body: answer.json() };
};
const paragraph = (text: string) => ({ type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text }] }] });

const kinds = [
  { path: 'lecons', main: 'contenu', form: {}, deleted: 'Leçon supprimée avec succès', changed: 'Cette leçon a été modifiée' },
  { path: 'exercices', main: 'enonce', form: {}, deleted: 'Exercice supprimé avec succès', changed: 'Cet exercice a été modifié' },
  {
    path: 'anciens-sujets',
    main: 'contenu',
    form: { annee: 2021 },
    deleted: 'Ancien sujet supprimé avec succès',
    changed: 'Cet ancien sujet a été modifié',
  },
  { path: 'series', main: 'contenu', form: {}, deleted: 'Série supprimée avec succès', changed: 'Cette série a été modifiée' },
] as const;
const hasCorrection = (path: string): boolean => path === 'exercices' || path === 'anciens-sujets';

t.test('each kind: created empty at the end of its list, saved as HTML or as a document, read back', async (t) => {
  for (const prefix of ['/api', '']) {
    for (const { path, main, form } of kinds) {
      const { id: discipline_id } = await createDiscipline(site);
      const base = `${prefix}/${path}`;
      const first = await send('POST', base, { ...form, titre: 'Les suites', [main]: '', corrige: '', discipline_id, numero_page: 9 });
      t.equal(first.status, 201, JSON.stringify(first.body));
      t.match(first.body, { titre: 'Les suites', numero_page: 1, discipline_id, [main]: '', version: 1, documents: [], remarques: [] });
      if (hasCorrection(path)) t.equal(first.body.corrige, null, 'an empty correction is stored as null');
      const second = await send('POST', base, { ...form, titre: 'Les limites', [main]: paragraph('Bonjour'), discipline_id });
      t.match(second.body, { numero_page: 2, [main]: '<p>Bonjour</p>' });

      const { id } = first.body;
      const saved = await send('PUT', `${base}/${id}`, {
        ...first.body,
        titre: 'Suites',
        [main]: '<h2>Définition</h2><p>Une <strong>suite</strong>.</p>',
      });
      t.equal(saved.status, 200, JSON.stringify(saved.body));
      const html = '<h2>Définition</h2><p>Une <strong>suite</strong>.</p>';
      t.match(saved.body, { id, titre: 'Suites', [main]: html, version: 2, numero_page: 1 });
      const { remarques, ...item } = saved.body;
      t.same(remarques, []);
      t.same((await send('GET', `${base}/${id}`)).body, item, 'a read returns the same item');
      t.same((await send('PUT', `${base}/${id}`, item)).body.version, 2, 'saving the same item again creates no new version');
      t.match((await send('GET', `${base}/discipline/${discipline_id}?textes=non`)).body, [
        { id, titre: 'Suites', numero_page: 1, version: 2, updated_at: /Z$/ },
        { id: second.body.id, titre: 'Les limites', numero_page: 2, version: 1 },
      ]);
      t.notOk(
        main in (await send('GET', `${base}/discipline/${discipline_id}?textes=non`)).body[0],
        'the list with textes=non has no texts',
      );
    }
  }
});

t.test('a save keeps omitted texts, accepts aliases of fields, and stores an empty correction as null', async (t) => {
  const { id: discipline_id } = await createDiscipline(site);
  const created = await send('POST', '/api/anciens-sujets', {
    titre: 'ENS 2019',
    annee: '2019',
    enonce: '<p>Sujet</p>',
    corrige: '<p>Corrigé</p>',
    discipline_id,
  });
  t.match(created.body, { annee: 2019, contenu: '<p>Sujet</p>', corrige: '<p>Corrigé</p>' });
  const url = `/api/anciens-sujets/${created.body.id}`;
  t.match((await send('PUT', url, { titre: 'ENS 2018', annee: 2018 })).body, {
    annee: 2018,
    contenu: '<p>Sujet</p>',
    corrige: '<p>Corrigé</p>',
  });
  t.match((await send('PUT', url, { titre: 'ENS 2018', annee: 2018, corrige: '<p><br></p>' })).body, {
    contenu: '<p>Sujet</p>',
    corrige: null,
  });
  t.match((await send('PUT', url, { titre: 'ENS 2018', annee: 2018, contenu: null })).body, { contenu: '', corrige: null });
});

t.test('the duration of a past exam can be set, omitted and removed, is stored with each version and shown in a conflict', async (t) => {
  const { id: discipline_id } = await createDiscipline(site);
  for (const { path, form } of kinds.filter(({ path }) => path !== 'lecons')) {
    t.match((await send('POST', `/api/${path}`, { ...form, titre: 'Sans durée', discipline_id })).body, { duree: null });
    const created = await send('POST', `/api/${path}`, { ...form, titre: 'Avec durée', duree: '180', discipline_id });
    t.match(created.body, { duree: 180, version: 1 });
    const url = `/api/${path}/${created.body.id}`;
    t.match((await send('GET', url)).body, { duree: 180 });
    const put = async (fields: object) => (await send('PUT', url, { ...form, titre: 'Avec durée', ...fields })).body;
    t.match(await put({}), { duree: 180, version: 1 }, 'an omitted duration stays unchanged');
    t.match(await put({ duree: 90 }), { duree: 90, version: 2 });
    t.match(await put({ duree: 60, version: 1 }), { current: { duree: 90, version: 2 } });
    t.match(await put({ duree: null }), { duree: null, version: 3 });
    t.match((await send('GET', `${url}/versions/2`)).body, { duree: 90 });
    t.match((await send('POST', `${url}/versions/1/restore`)).body, { duree: 180, version: 4 });
    for (const duree of [0, 601, 1.5, 'x', [], {}, true])
      t.match(await put({ duree }), { errors: [{ field: 'duree', message: /^La durée doit être/ }] });
  }
  t.notOk('duree' in (await send('POST', '/api/lecons', { titre: 'Leçon', duree: 10, discipline_id })).body, 'a lesson has no duration');
});

t.test('the marking rule of a series: one of its own or the ordinary one, stored with each version, with its faults', async (t) => {
  const { id: discipline_id } = await createDiscipline(site);
  const ordinary = { juste: 1, faux: 0, sans: 0 };
  t.match((await send('POST', '/api/series', { titre: 'Sans barème', discipline_id })).body, { bareme: ordinary, duree: null });
  const created = await send('POST', '/api/series', { titre: 'Concours', bareme: '3 ; -1,25 ; 0', discipline_id });
  const strict = { juste: 3, faux: -1.25, sans: 0 };
  t.match(created.body, { bareme: strict, version: 1 });
  const url = `/api/series/${created.body.id}`;
  t.match((await send('GET', url)).body, { bareme: strict });
  const put = async (fields: object) => (await send('PUT', url, { titre: 'Concours', ...fields })).body;
  t.match(await put({}), { bareme: strict, version: 1 }, 'an omitted rule stays unchanged');
  t.match(await put({ bareme: strict }), { version: 1 }, 'the same rule is no change');
  t.match(await put({ bareme: { juste: 2, faux: -0.5, sans: 0 } }), { bareme: { juste: 2, faux: -0.5, sans: 0 }, version: 2 });
  t.match(await put({ bareme: '' }), { bareme: ordinary, version: 3 });
  t.match((await send('GET', `${url}/versions/2`)).body, { bareme: { juste: 2, faux: -0.5, sans: 0 } });
  t.match((await send('POST', `${url}/versions/1/restore`)).body, { bareme: strict, version: 4 });
  for (const bareme of ['1', '1 ; 1 ; 0', { juste: 0, faux: 0, sans: 0 }, { juste: 1 }, [1, 0, 0], 3])
    t.match(await put({ bareme }), { errors: [{ field: /^bareme/ }] }, JSON.stringify(bareme));
  const [entry] = await rows<{ after: object }>(
    "select after from audit_entry where subject = 'quiz' and subject_id = $1 order by id limit 1",
    [String(created.body.id)],
  );
  t.match(entry, { after: { bareme: 'Juste : +3 · Faux : −1,25 · Sans réponse : 0' } });
  const lesson = await send('POST', '/api/lecons', { titre: 'Leçon', bareme: '1 ; 0 ; 0', discipline_id });
  t.notOk('bareme' in lesson.body, 'a lesson has no rule');
  t.same(await rows('select bareme from item where id = $1', [lesson.body.id]), [{ bareme: null }]);
});

t.test('all faults of titles and years are reported at once', async (t) => {
  const { id: discipline_id } = await createDiscipline(site);
  const faults = async (path: string, form: object) => {
    const { status, body } = await send('POST', `/api/${path}`, { discipline_id, ...form });
    t.equal(status, 400);
    return body.errors;
  };
  t.same(await faults('lecons', {}), [{ field: 'titre', message: 'Le titre est requis' }]);
  t.same(await faults('lecons', { titre: 'ab' }), [{ field: 'titre', message: 'Le titre doit contenir au moins 3 caractères' }]);
  t.same(await faults('lecons', { titre: 'x'.repeat(101) }), [{ field: 'titre', message: 'Le titre ne doit pas dépasser 100 caractères' }]);
  t.same(await faults('anciens-sujets', { titre: "L'année", annee: 1899, discipline_id: 2_000_000_000, corrige: { type: 'page' } }), [
    { field: 'discipline_id', message: "Cette discipline n'existe pas ou n'existe plus" },
    { field: 'titre', message: 'Le titre ne doit contenir que des lettres, des chiffres, des espaces, des tirets et des underscores' },
    { field: 'annee', message: "L'année doit être supérieure à 1900" },
    { field: 'corrige', message: 'Le texte contient un élément inconnu, mal placé, ou dont une valeur est interdite.' },
  ]);
  t.same(await faults('anciens-sujets', { titre: 'Sujet' }), [{ field: 'annee', message: "L'année est requise" }]);
  t.same(await faults('anciens-sujets', { titre: 'Sujet', annee: 20.5 }), [
    { field: 'annee', message: "L'année doit être un nombre entier" },
  ]);
  const next = site.clock.now().getUTCFullYear() + 2;
  t.match((await faults('anciens-sujets', { titre: 'Sujet', annee: next }))[0].message, /^L'année ne peut pas dépasser \d{4}$/);
  t.same(await rows('select id from item where discipline_id = $1', [discipline_id]), []);
});

t.test('an outdated save is refused with the current item and overwrites nothing, and every version can be restored', async (t) => {
  for (const { path, main, form, changed } of kinds) {
    const discipline = await createDiscipline(site);
    const { body: item } = await send('POST', `/api/${path}`, {
      ...form,
      titre: 'Les suites',
      [main]: '<p>un</p>',
      discipline_id: discipline.id,
    });
    const url = `/api/${path}/${item.id}`;
    t.equal((await send('PUT', url, { ...item, [main]: '<p>deux</p>' }, other.session)).status, 200);
    const late = await send('PUT', url, { ...item, [main]: '<p>trois</p>' });
    t.equal(late.status, 409);
    t.match(late.body, { changedBy: other.username, current: { id: item.id, version: 2, [main]: '<p>deux</p>' } });
    t.match(late.body.message, `${changed} entre-temps par ${other.username}. Rien n'a été enregistré`);
    t.equal((await send('PUT', url, { ...item, [main]: '<p>trois</p>', version: 2 })).body.version, 3);
    t.equal(
      (await send('PUT', url, { ...form, titre: 'Sans version', [main]: '<p>quatre</p>', corrige: '<p>oui</p>' })).body.version,
      4,
      'a save without a version overwrites the item',
    );

    const { body: versions } = await send('GET', `${url}/versions`);
    t.match(versions, [
      { version: 4, titre: 'Sans version', saved_by: username, current: true, longueur: hasCorrection(path) ? 9 : 6 },
      { version: 3, titre: 'Les suites', saved_by: username, current: false },
      { version: 2, saved_by: other.username, current: false, longueur: 4 },
      { version: 1, saved_by: username, current: false },
    ]);
    t.match((await send('GET', `${url}/versions/2`)).body, { version: 2, titre: 'Les suites', [main]: '<p>deux</p>', current: false });
    t.equal((await send('GET', `${url}/versions/5`)).status, 404);
    t.equal((await send('POST', `${url}/versions/2/restore`, { version: 3 })).status, 409, 'a restore from an outdated screen is refused');
    t.match((await send('POST', `${url}/versions/2/restore`, { version: 4 })).body, {
      version: 5,
      titre: 'Les suites',
      [main]: '<p>deux</p>',
    });
    t.match((await send('POST', `${url}/versions/2/restore`)).body, { version: 5 }, 'restoring the same version again changes nothing');
    t.equal((await send('GET', `${url}/versions`)).body.length, 5, 'a restore stores the replaced text as a version');
  }
});

t.test('the text loaded by the seed is kept as a version at its first edit', async (t) => {
  const discipline = await createDiscipline(site);
  const { id, titre } = await createItem(site, discipline.id, { contenu: '<p>du dossier</p>' });
  const url = `/api/lecons/${id}`;
  t.match((await send('GET', `${url}/versions`)).body, [{ version: 1, titre, saved_by: null, current: true }]);
  t.match((await send('GET', `${url}/versions/1`)).body, { contenu: '<p>du dossier</p>', saved_by: null });
  await send('PUT', url, { titre, contenu: '<p>de la page</p>' });
  t.match((await send('GET', `${url}/versions`)).body, [
    { version: 2, saved_by: username, current: true },
    { version: 1, saved_by: null },
  ]);
  t.match((await send('GET', `${url}/versions/1`)).body, { contenu: '<p>du dossier</p>' });
});

t.test('moving and deleting renumber the list, and the audit log names the administrator', async (t) => {
  const discipline = await createDiscipline(site);
  const add = async (titre: string) => (await send('POST', '/api/lecons', { titre, discipline_id: discipline.id })).body.id as number;
  const [un, deux, trois, quatre] = [await add('Leçon un'), await add('Leçon deux'), await add('Leçon trois'), await add('Leçon quatre')];
  const list = async () =>
    (await send('GET', `/api/lecons/discipline/${discipline.id}?textes=non`)).body.map(
      (item: { id: number; numero_page: number; version: number }) => {
        t.equal(item.version, 1, 'a move does not make an open editor outdated');
        return [item.id, item.numero_page];
      },
    );
  const move = (id: number | undefined, numero_page: unknown) => send('PUT', `/api/lecons/${id}/position`, { numero_page });
  t.same(await move(quatre, 2), { status: 200, body: { message: "L'ordre est enregistré." } });
  t.same(await list(), [
    [un, 1],
    [quatre, 2],
    [deux, 3],
    [trois, 4],
  ]);
  await move(un, 4);
  t.same(await list(), [
    [quatre, 1],
    [deux, 2],
    [trois, 3],
    [un, 4],
  ]);
  t.same((await move(un, 5)).body.errors, [{ field: 'numero_page', message: 'La page doit être comprise entre 1 et 4' }]);
  for (const wrong of [0, -1, 1.5, '2', null, 1e300]) t.equal((await move(un, wrong)).status, 400, String(wrong));
  t.equal((await send('PUT', `/api/exercices/${un}/position`, { numero_page: 1 })).status, 404, 'an item is not found under another kind');
  t.same(await send('DELETE', `/api/lecons/${deux}`), { status: 200, body: { message: 'Leçon supprimée avec succès' } });
  t.same(await list(), [
    [quatre, 1],
    [trois, 2],
    [un, 3],
  ]);
  t.equal((await send('DELETE', `/api/lecons/${deux}`)).status, 404);
  const [entry] = await rows<{ action: string; actor: string; before: object }>(
    "select action, actor, before from audit_entry where subject = 'course' and subject_id = $1 order by id desc limit 1",
    [String(deux)],
  );
  t.match(entry, { action: 'deleted', actor: username, before: { titre: 'Leçon deux', numero_page: 2, contenu: '' } });
});

t.test('20 creations, then 20 moves and deletions at once: numbered 1 to n', async (t) => {
  const discipline = await createDiscipline(site);
  const created = await Promise.all(
    Array.from({ length: 20 }, (_, index) => send('POST', '/api/exercices', { titre: `Exercice ${index}`, discipline_id: discipline.id })),
  );
  const ids = created.map(({ body }) => body.id as number);
  t.same(
    created.map(({ body }) => body.numero_page).toSorted((a, b) => a - b),
    Array.from({ length: 20 }, (_, index) => index + 1),
  );
  const answers = await Promise.all(
    ids.map((id, index) =>
      index % 4 === 0
        ? send('DELETE', `/api/exercices/${id}`)
        : send('PUT', `/api/exercices/${id}/position`, { numero_page: (index % 15) + 1 }),
    ),
  );
  t.same([...new Set(answers.map(({ status }) => status))], [200]);
  const left = await rows<{ numero_page: number }>(
    "select numero_page from item where discipline_id = $1 and kind = 'exercise' order by 1",
    [discipline.id],
  );
  t.same(
    left.map(({ numero_page }) => numero_page),
    Array.from({ length: 15 }, (_, index) => index + 1),
  );
});

t.test('20 concurrent saves of the same version: one is written, the others get a conflict', async (t) => {
  const discipline = await createDiscipline(site);
  const { body: item } = await send('POST', '/api/lecons', { titre: 'Ensemble', discipline_id: discipline.id });
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => send('PUT', `/api/lecons/${item.id}`, { ...item, contenu: `<p>${index}</p>` })),
  );
  t.equal(answers.filter(({ status }) => status === 200).length, 1);
  t.equal(answers.filter(({ status }) => status === 409).length, 19);
});

for (const { path, deleted } of kinds) {
  t.test(`${path}: an item is found only under its own kind, and its deletion message names that kind`, async (t) => {
    const discipline = await createDiscipline(site);
    const kind = { lecons: 'course', exercices: 'exercise', 'anciens-sujets': 'pastExam', series: 'quiz' } as const;
    const { id } = await createItem(site, discipline.id, { kind: kind[path] });
    const wrong = kinds.find((one) => one.path !== path)?.path;
    t.equal((await send('PUT', `/api/${wrong}/${id}`, { titre: 'Titre', annee: 2020 })).status, 404);
    t.same(await send('DELETE', `/api/${path}/${id}`), { status: 200, body: { message: deleted } });
  });
}
