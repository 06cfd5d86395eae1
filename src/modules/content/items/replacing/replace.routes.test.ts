import t from 'tap';
import { call, createTestApp } from '../../../../../test/support/app.ts';
import { createAdministrator, createDiscipline, createItem } from '../../../../../test/support/factories.ts';
import { choiceQuestion } from '../../../../../test/support/questions.ts';
import { sql } from '../../../../../test/support/sql.ts';

// Find and replace across a discipline (decision 132).

const site = await createTestApp(t);
const { app, databaseUrl } = site;
const awa = await createAdministrator(site);
const bih = await createAdministrator(site);

const rows = <Row extends object>(statement: string, values: unknown[] = []) => sql<Row>(databaseUrl, statement, values);
const send = async (method: 'GET' | 'POST' | 'PUT', url: string, payload?: object, { session } = awa) => {
  const answer = await call(app, { method, url: `/api${url}`, session, ...(payload ? { payload } : {}) });
  return { status: answer.statusCode, body: answer.json() };
};

interface Found {
  id: number;
  brouillon: boolean;
  revision: number;
  trouves: number;
  extraits: { avant: string; trouve: string; apres: string }[];
}

/** Searches a whole discipline, and returns what was found and the number of requests. */
async function search(discipline_id: number, texte: string, options: object = {}) {
  const found: Found[] = [];
  let requests = 0;
  let lus = 0;
  for (let apres: number | null = 0; apres !== null; requests += 1) {
    const { status, body } = await send('POST', '/contenus/recherche', { discipline_id, texte, apres, ...options });
    if (status !== 200) throw new Error(JSON.stringify(body));
    found.push(...body.contenus);
    lus += body.lus;
    apres = body.suite;
  }
  return { found, requests, lus };
}
const replace = (
  texte: string,
  remplacement: string,
  contenus: Pick<Found, 'id' | 'brouillon' | 'revision'>[],
  options: object = {},
  as = awa,
) =>
  send(
    'POST',
    '/contenus/remplacement',
    { texte, remplacement, contenus: contenus.map(({ id, brouillon, revision }) => ({ id, brouillon, revision })), ...options },
    as,
  );
const save = (id: number, contenu: string, more: object = {}) => send('PUT', `/lecons/${id}`, { titre: 'Les suites', contenu, ...more });

t.test('texts, corrections and drafts are searched; each ticked one is saved as a version that names the replacement', async (t) => {
  const { id: discipline_id } = await createDiscipline(site);
  const lesson = await createItem(site, discipline_id, { titre: 'Les suites', contenu: '<p>La <strong>théo</strong>rie, la Theorie.</p>' });
  const exercise = await createItem(site, discipline_id, { kind: 'exercise', contenu: '<p>Rien.</p>', corrige: '<p>Par la théorie.</p>' });
  await createItem(site, discipline_id, { numeroPage: 2, contenu: '<p>Rien ici.</p>' });
  const other = await createItem(site, (await createDiscipline(site)).id, { contenu: '<p>théorie</p>' });
  const draft = (await send('POST', '/lecons', { discipline_id, contenu: '<p>Théorie du brouillon.</p>', brouillon: true })).body.brouillon;

  const { found, lus } = await search(discipline_id, 'theorie');
  t.equal(lus, 4);
  t.match(found, [
    { id: lesson.id, trouves: 2, extraits: [{ avant: 'La ', trouve: 'théorie', apres: ', la Theorie.' }, { trouve: 'Theorie' }] },
    { id: exercise.id, trouves: 1, extraits: [{ avant: 'Par la ', trouve: 'théorie', apres: '.' }] },
    { id: draft.id, brouillon: true, revision: 1, trouves: 1 },
  ]);
  t.equal(found.length, 3);
  t.equal((await search(discipline_id, 'theorie', { accents: true })).found[0]?.trouves, 1);

  const { status, body } = await replace('theorie', 'doctrine', found);
  t.equal(status, 200, JSON.stringify(body));
  t.same(
    body.map(({ remplaces }: { remplaces: number }) => remplaces),
    [2, 1, 1],
  );
  t.match((await send('GET', `/lecons/${lesson.id}`)).body, { version: 2, contenu: '<p>La <strong>doctrine</strong>, la doctrine.</p>' });
  t.match((await send('GET', `/exercices/${exercise.id}`)).body, {
    version: 2,
    enonce: '<p>Rien.</p>',
    corrige: '<p>Par la doctrine.</p>',
  });
  t.match((await send('GET', `/brouillons/${draft.id}`)).body, { revision: 2, contenu: '<p>doctrine du brouillon.</p>' });
  t.match((await send('GET', `/lecons/${lesson.id}/versions`)).body, [
    { version: 2, saved_by: `${awa.username} (remplacement)` },
    { version: 1 },
  ]);
  t.match(await rows('select after from audit_entry where subject_id = $1 order by id desc limit 1', [String(lesson.id)]), [
    { after: { remplacement: '« theorie » par « doctrine » (2)' } },
  ]);
  t.match(await rows('select contenu from item where id = $1', [other.id]), [{ contenu: '<p>théorie</p>' }]);
  t.match((await replace('theorie', 'doctrine', found)).body, [{ remplaces: 0 }, { remplaces: 0 }, { remplaces: 0 }], 'sent again');
  t.equal((await send('GET', `/lecons/${lesson.id}`)).body.version, 2);
});

t.test('a text that somebody has saved since the search stays, and its author is named; the others are replaced', async (t) => {
  const { id: discipline_id } = await createDiscipline(site);
  const items = [];
  for (const numeroPage of [1, 2])
    items.push(await createItem(site, discipline_id, { titre: 'Les suites', numeroPage, contenu: '<p>Le mot.</p>' }));
  const [first, second] = items.map(({ id }) => id) as [number, number];
  const { found } = await search(discipline_id, 'mot');
  await send('PUT', `/lecons/${first}`, { titre: 'Les suites', contenu: '<p>Le mot de Bih.</p>', version: 1 }, bih);
  const { body } = await replace('mot', 'terme', found);
  t.match(body, [
    { id: first, remplaces: 0 },
    { id: second, remplaces: 1 },
  ]);
  t.match(body[0].message, bih.username);
  t.equal((await send('GET', `/lecons/${first}`)).body.contenu, '<p>Le mot de Bih.</p>');
  t.equal((await save(second, '<p>Écrit avant.</p>', { version: 1 })).status, 409, 'who was writing meanwhile is asked to compare');
});

t.test('a draft beside its published text: replaced in both, it stays based on the current version', async (t) => {
  const { id: discipline_id } = await createDiscipline(site);
  const { id } = await createItem(site, discipline_id, { titre: 'Les suites', contenu: '<p>Le mot.</p>' });
  await send('PUT', `/brouillons/${id}`, { titre: 'Les suites', contenu: '<p>Le mot, et plus.</p>' });
  const { found } = await search(discipline_id, 'mot');
  t.same(
    found.map(({ brouillon }) => brouillon),
    [false, true],
  );
  await replace('mot', 'terme', found);
  const published = await send('POST', `/brouillons/${id}/publication`, {});
  t.equal(published.status, 200, JSON.stringify(published.body));
  t.match(published.body, { version: 3, contenu: '<p>Le terme, et plus.</p>' });
});

t.test('keys of questions stay; formulas change only where asked', async (t) => {
  const { id: discipline_id } = await createDiscipline(site);
  const { id } = await createItem(site, discipline_id, { titre: 'Les suites', contenu: '<p>Avant.</p>' });
  const question = choiceQuestion({
    id: 'questionmot1',
    statement: 'Quel mot ?',
    explanation: 'Le mot juste.',
    choices: [
      { id: 'choixmot0001', text: 'Ce mot', right: true, remark: 'Un mot.' },
      { id: 'choixmot0002', text: 'Rien' },
    ],
  });
  await save(id, `<p>Soit <span class="formula" data-latex="mot_n"></span> un mot.</p>${question}`);
  const state = () => rows<{ keys: object[] }>('select keys from item where id = $1', [id]);
  const asked = () => rows('select id, judged, key_version from question where item_id = $1', [id]);
  const before = [await state(), await asked()];
  const { found } = await search(discipline_id, 'mot');
  t.match(found, [{ trouves: 3 }]);
  await replace('mot', 'terme', found);
  t.same([await state(), await asked()], before);
  const { contenu } = (await send('GET', `/lecons/${id}`)).body;
  t.match(contenu, 'data-latex="mot_n"');
  t.match(contenu, '<header><p>Quel terme ?</p></header>');
  t.match(contenu, '<aside><p>Un mot.</p></aside>');
  const formulas = await search(discipline_id, 'mot', { formules: true });
  t.match(formulas.found, [{ trouves: 1, extraits: [{ trouve: 'mot', apres: '_n' }] }]);
  await replace('mot', 'u', formulas.found, { formules: true });
  const drawn = (await send('GET', `/lecons/${id}`)).body.contenu;
  t.match(drawn, 'data-latex="u_n"');
  t.match(drawn, '<mi>u</mi>');
});

t.test('bad input is refused with a reason', async (t) => {
  const { id: discipline_id } = await createDiscipline(site);
  for (const texte of ['', '\u200b', 'x'.repeat(201), 'a\nb'])
    t.equal((await send('POST', '/contenus/recherche', { discipline_id, texte })).status, 400, JSON.stringify(texte.slice(0, 5)));
  const [one] = [{ id: 999_999, brouillon: false, revision: 1 }];
  t.match((await replace('a', 'b', [one])).body, [{ remplaces: 0, message: /n'existe plus/ }]);
  t.equal((await replace('a', 'x'.repeat(201), [one])).status, 400);
  t.equal(
    (
      await replace(
        'a',
        'b',
        Array.from({ length: 11 }, () => one),
      )
    ).status,
    400,
  );
});

t.test('300 texts of 30 KB are searched in short requests', async (t) => {
  const { id: discipline_id } = await createDiscipline(site);
  const filler = `<p>${'Un texte ordinaire sur les suites numériques et leurs limites. '.repeat(20)}</p>`.repeat(24);
  await rows(
    `insert into item (discipline_id, kind, titre, numero_page, contenu, created_at, updated_at)
     select $1, 'course', 'Chapitre ' || n, n, $2 || case when n % 10 = 0 then '<p>Voici le zébu.</p>' else '' end, now(), now() from generate_series(1, 300) n`,
    [discipline_id, filler],
  );
  const { found, requests, lus } = await search(discipline_id, 'zebu');
  t.same([found.length, lus], [30, 300]);
  t.ok(requests > 5, `${requests} requests`);
});
