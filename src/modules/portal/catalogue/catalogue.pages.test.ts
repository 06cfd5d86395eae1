import { parseHTML } from 'linkedom';
import pg from 'pg';
import t from 'tap';
import { createTestApp, squeeze, visit } from '../../../../test/support/app.ts';
import { createEnrolment, createLearner, createPrepa } from '../../../../test/support/factories.ts';
import { sql } from '../../../../test/support/sql.ts';

// The catalogue of the dashboard and of /user/preparations: search and pages as done by the server.

const home = await createTestApp(t);
const { app, databaseUrl } = home;
const learner = await createLearner(home);

async function catalogue(url: string, session: string | undefined = learner.session) {
  const answer = await visit(app, url, session);
  const { document } = parseHTML(answer.body);
  const texts = (selector: string) => [...document.querySelectorAll(selector)].map(({ textContent }) => squeeze(textContent));
  const links = (selector: string) =>
    [...document.querySelectorAll(selector)].map((link) => [
      link.textContent,
      link.getAttribute('href'),
      link.getAttribute('aria-current'),
    ]);
  return {
    answer,
    document,
    main: squeeze(document.querySelector('main')?.textContent),
    /** The visible cards. */
    names: texts('.catalogue li.card:not([hidden]) .card__title'),
    all: texts('.catalogue li.card .card__title'),
    /** The cards visible on a narrow screen. */
    narrowNames: texts('.catalogue li.card:not([hidden]):not(.wide-only) .card__title'),
    pages: links('.pagination:not([hidden], .narrow-only) .wide-only a'),
    narrowPages: links('.pagination:not([hidden]) .narrow-only a'),
    none: document.querySelector('[data-none]')?.hasAttribute('hidden') === false,
    found: squeeze(document.querySelector('[data-found]')?.textContent),
  };
}

await createPrepa(home, { nom: 'École normale', description: 'Œuvres au programme & sujets' });
await createPrepa(home, { nom: 'ENAM', description: "L'administration générale" });
for (let number = 1; number <= 21; number += 1) {
  await createPrepa(home, { nom: `Concours ${number}`, description: number <= 7 ? 'Session de mai.' : 'Rien de plus.' });
}

t.test('a search in names and descriptions: trimmed, capitals and accents aside', async (t) => {
  for (const path of ['/user/dashboard', '/user/preparations']) {
    for (const [q, names] of [
      ['ecole', ['École normale']],
      ['  NORMALE ', ['École normale']],
      ['oeuvres', ['École normale']],
      ['administration GENERALE', ['ENAM']],
      ['l’admin', ['ENAM']],
      ['cours 2', ['Concours 2', 'Concours 20', 'Concours 21']],
      ['% _', []],
    ] as const) {
      const { answer, names: shown, none, found } = await catalogue(`${path}?q=${encodeURIComponent(q)}`);
      t.equal(answer.statusCode, 200);
      t.same(shown, names, `${path}: ${q}`);
      t.equal(none, names.length === 0);
      t.equal(found, ['', '1 préparation trouvée', `${names.length} préparations trouvées`][Math.min(names.length, 2)]);
    }
  }
  const { main, document } = await catalogue('/user/dashboard?q=zzz');
  t.match(main, 'Aucune préparation ne correspond à votre recherche.');
  t.equal(document.querySelector('input[name="q"]')?.getAttribute('value'), 'zzz', 'the field shows the typed text');
  t.equal((await catalogue('/user/dashboard?q=%22%3E%3Cb%3Ex')).document.querySelector('main b'), null, 'the typed text is escaped');
});

t.test('pages have ten cards, a number beyond the last page shows the last page, and an invalid number the first', async (t) => {
  const first = await catalogue('/user/dashboard');
  t.equal(first.names.length, 10);
  t.same(first.pages, [
    ['1', '/user/dashboard', 'page'],
    ['2', '/user/dashboard?page=2', null],
    ['3', '/user/dashboard?page=3', null],
  ]);
  t.same((await catalogue('/user/dashboard?page=3')).names, ['Concours 19', 'Concours 20', 'Concours 21']);
  for (const page of ['99', '1000']) t.equal((await catalogue(`/user/dashboard?page=${page}`)).names.length, 3, page);
  for (const page of ['0', '-1', 'x', '', '1.5', '1e9']) t.same((await catalogue(`/user/dashboard?page=${page}`)).names, first.names, page);
  const second = await catalogue('/user/dashboard?q=concours+&page=2');
  t.same(second.names[0], 'Concours 11');
  t.same(
    second.pages.map(([, href]) => href),
    ['/user/dashboard?q=concours', '/user/dashboard?q=concours&page=2', '/user/dashboard?q=concours&page=3'],
  );
  t.same((await catalogue('/user/dashboard?q=enam')).pages, [], 'a single page has no page numbers');
});

t.test('below 992 px a page shows half of the cards: five, with separate addresses', async (t) => {
  const concours = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => `Concours ${from + index}`);
  const first = await catalogue('/user/dashboard');
  t.same(first.narrowNames, ['École normale', 'ENAM', ...concours(1, 3)]);
  t.same(first.narrowPages, [
    ['1', '/user/dashboard', 'page'],
    ['2', '/user/dashboard?moitie=2', null],
    ['3', '/user/dashboard?page=2', null],
    ['4', '/user/dashboard?page=2&moitie=2', null],
    ['5', '/user/dashboard?page=3', null],
  ]);
  const fourth = await catalogue('/user/dashboard?page=2&moitie=2');
  t.same([fourth.narrowNames, fourth.narrowPages[3]], [concours(14, 18), ['4', '/user/dashboard?page=2&moitie=2', 'page']]);
  t.same([fourth.names, fourth.pages[1]], [concours(9, 18), ['2', '/user/dashboard?page=2', 'page']], 'a wide screen shows both halves');
  for (const half of ['page=3&moitie=2', 'page=3&moitie=x', 'page=3&moitie=2&moitie=2'])
    t.same((await catalogue(`/user/dashboard?${half}`)).narrowNames, concours(19, 21), half);
  const few = await catalogue('/user/dashboard?q=mai&moitie=2');
  t.same(few.narrowNames, concours(6, 7));
  t.same(
    [few.pages, few.narrowPages.map(([number, href]) => [number, href])],
    [
      [],
      [
        ['1', '/user/dashboard?q=mai'],
        ['2', '/user/dashboard?q=mai&moitie=2'],
      ],
    ],
  );
  t.same((await catalogue('/user/dashboard?q=enam')).narrowPages, []);
  const own = await catalogue('/user/preparations');
  t.equal(own.narrowNames.length, 23, 'a catalogue on one page has no halves');
});

t.test('a small catalogue is entirely in the page, so that the browser can search it', async (t) => {
  t.equal((await catalogue('/user/dashboard?q=enam')).all.length, 23);
  const long = await createPrepa(home, { nom: 'Longue', description: 'Mot '.repeat(1_200) });
  const [more] = [await createPrepa(home, { nom: 'Plus longue', description: `${'Mot '.repeat(1_200)}fin` })];
  await createPrepa(home, { nom: 'Encore une', description: 'Mot '.repeat(1_200) });
  const { all, document, names } = await catalogue('/user/dashboard?q=fin');
  t.equal(document.querySelector('[data-behaviour="catalogue"]'), null);
  t.same([all, names], [['Plus longue'], ['Plus longue']], 'the server also searches text that the card does not show');
  t.ok(String(document.querySelector('.catalogue .card__text')?.textContent).length < 200);
  const second = await catalogue('/user/dashboard?moitie=2');
  t.same([second.names.length, second.narrowNames.length], [10, 5], 'a narrow screen shows five cards');
  await sql(databaseUrl, 'delete from prepa where id >= $1', [long.id]);
  t.ok(more.id > long.id);
});

t.test('the catalogue on its own page', async (t) => {
  const { answer, names, main, document } = await catalogue('/user/preparations');
  t.equal(answer.statusCode, 200);
  t.equal(document.querySelector('h1')?.textContent, 'Préparations disponibles');
  t.equal(names.length, 23, 'one card per published prepa');
  t.notMatch(main, 'connecté');

  const buyer = await createLearner(home);
  const [row] = await sql<{ id: number; nom: string }>(databaseUrl, `select id, nom from prepa where nom = 'ENAM'`);
  if (row) await createEnrolment(home, buyer, row);
  const mine = await catalogue('/user/preparations?q=enam', buyer.session);
  t.match(mine.main, /Continuer ENAM ?Renouveler ENAM/);

  await sql(databaseUrl, 'alter table enrolment rename to enrolment_away');
  const failed = await catalogue('/user/preparations');
  await sql(databaseUrl, 'alter table enrolment_away rename to enrolment');
  t.match(failed.main, 'Erreur lors du chargement des préparations Réessayer');

  await sql(databaseUrl, 'update prepa set is_published = false');
  t.match((await catalogue('/user/preparations')).main, 'Aucune préparation disponible pour le moment.');
});

t.test('each change of a prepa shows after its commit', async (t) => {
  const { id } = await createPrepa(home, { nom: 'Douanes', description: 'Inspecteurs' });
  const prices = async () => (await catalogue('/user/preparations')).main;
  t.match(await prices(), 'Douanes');
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  t.teardown(() => client.end());
  for (const [change, after] of [
    [`nom = 'Impôts'`, /Impôts/],
    [`description = 'Contrôleurs'`, /Contrôleurs/],
    ['prix = 12345', /12.345/],
    ['is_published = false', /Aucune préparation disponible pour le moment/],
    ['is_published = true', /Impôts/],
  ] as const) {
    await client.query('begin');
    await client.query(`update prepa set ${change} where id = ${id}`);
    t.notMatch(await prices(), after, `${change}, under way`);
    await client.query('commit');
    t.match(await prices(), after, change);
  }
  await client.query('begin');
  await client.query(`update prepa set nom = 'Poste' where id = ${id}`);
  await client.query('rollback');
  t.match(await prices(), 'Impôts', 'a rolled-back change is not shown');
  await client.query(`delete from prepa where id = ${id}`);
  t.notMatch(await prices(), 'Impôts', 'a deleted prepa is not shown');
  await createPrepa(home, { nom: 'Magistrature' });
  t.match(await prices(), 'Magistrature', 'a created prepa is shown');
  await client.query('delete from prepa');
  t.match(await prices(), 'Aucune préparation disponible', 'an empty catalogue has a message');
  await client.query('delete from catalogue_revision');
  await client.query(
    `insert into prepa (nom, description, prix, is_published, created_at, updated_at) values ('Police', 'x', 1, true, now(), now())`,
  );
  t.match(await prices(), 'Police', 'without a revision the catalogue is not cached');
});

t.test('a visitor is redirected to the sign-in and back', async (t) => {
  for (const session of ['', `userToken=${'x'.repeat(40)}`]) {
    const { answer, main, document } = await catalogue('/user/preparations', session);
    t.equal(answer.statusCode, 200);
    t.match(main, 'Vous devez être connecté pour voir vos préparations');
    t.equal(document.querySelector('main .actions a')?.getAttribute('href'), '/login?suite=%2Fuser%2Fpreparations');
  }
});
