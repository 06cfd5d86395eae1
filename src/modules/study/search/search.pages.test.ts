import { parseHTML } from 'linkedom';
import t from 'tap';
import { createTestApp, squeeze, visit } from '../../../../test/support/app.ts';
import {
  createAdministrator,
  createDiscipline,
  createEnrolment,
  createItem,
  createLearner,
  createPrepa,
} from '../../../../test/support/factories.ts';
import { assertValidHtml } from '../../../../test/support/page-checks.ts';
import { choiceQuestion, faulty } from '../../../../test/support/questions.ts';
import { sql } from '../../../../test/support/sql.ts';
import { type PlanNode, planOf, statementsDuring } from '../../../../test/support/statements.ts';
import { escapeHtml } from '../../../shared/escapes.ts';
import { indexItems } from '../../content/items/item-words.ts';
import { renderFormula } from '../../content/texts/formulas/mathml.ts';
import { searchesPerMinute } from './search.pages.ts';
import { searchOpen } from './search.repository.ts';

const home = await createTestApp(t);
const { app, clock, databaseUrl, kernel } = home;

async function search(query: Record<string, string | number>, session?: string) {
  const answer = await visit(app, `/user/recherche?${new URLSearchParams(query as Record<string, string>)}`, session);
  const { document } = parseHTML(answer.body);
  const texts = (selector: string) => [...document.querySelectorAll(selector)].map((element) => squeeze(element.textContent));
  return {
    status: answer.statusCode,
    location: answer.headers.location,
    text: squeeze(document.querySelector('main')?.textContent),
    results: [...document.querySelectorAll('.result')].map((result) => ({
      titre: squeeze(result.querySelector('h3')?.textContent),
      href: result.querySelector('h3 a')?.getAttribute('href') ?? null,
    })),
    titles: texts('.result h3'),
    texts,
  };
}

/** Creates a discipline with two free and two further items, whose words occur nowhere else. */
async function course(nom: string) {
  const prepa = await createPrepa(home, { nom });
  const discipline = await createDiscipline(home, prepa.id);
  const first = await createItem(home, discipline.id, {
    titre: 'Ouverture',
    contenu: '<p>Les <strong>équations différentielles</strong> linéaires.</p>',
  });
  const second = await createItem(home, discipline.id, {
    titre: 'Alambic',
    numeroPage: 2,
    contenu: '<p>La distillation fractionnée des équations.</p>',
  });
  const exercise = await createItem(home, discipline.id, {
    kind: 'exercise',
    titre: 'Titrage',
    contenu: '<p>Doser un acide.</p>',
    corrige: '<p>La phénolphtaléine vire au rose.</p>',
  });
  const learner = await createLearner(home);
  await createEnrolment(home, learner, prepa, 10);
  return { prepa, discipline, first, second, exercise, learner };
}

t.test('stems, accents and formulas match, and the passage shows the found words', async (t) => {
  const { prepa, discipline, learner, second, first } = await course('ENS Chimie');
  const found = await search({ q: 'EQUATION' }, learner.session);
  t.equal(found.status, 200);
  t.same(found.titles.sort(), ['Alambic', 'Ouverture']);
  t.same(found.texts('mark').sort(), ['équations', 'équations']);
  t.match(found.texts('.results__count'), ['2 résultats']);
  const base = `/user/prepa/${prepa.id}/${discipline.id}`;
  t.same(
    found.results.map(({ href }) => href).sort(),
    [`${base}?type=course&item=${first.id}`, `${base}?type=course&item=${second.id}`].sort(),
  );
  t.match(found.texts('.result__place'), [`ENS Chimie > ${discipline.nom} > Cours`]);
  const corrected = await search({ q: 'phenolphtaleine' }, learner.session);
  t.same(corrected.titles, ['Titrage']);
  t.match(corrected.texts('.result__place'), [`ENS Chimie > ${discipline.nom} > Exercice > Corrigé`]);
  t.ok((await search({ q: 'equations - distillation' }, learner.session)).titles.length > 0, 'a dash excludes nothing');
  t.same((await search({ q: 'alambic' }, learner.session)).titles, ['Alambic'], 'an item is found by its title');
});

t.test('text that looks like markup stays text', async (t) => {
  const { discipline, learner } = await course('ENS Informatique');
  await createItem(home, discipline.id, {
    titre: 'Balises',
    numeroPage: 9,
    contenu: '<p>Le code &lt;script&gt;alert(1)&lt;/script&gt; si x &lt; y &amp;amp; z, \uE000piégé\uE001 hypertexte.</p>',
  });
  const answer = await visit(app, '/user/recherche?q=hypertexte', learner.session);
  t.match(answer.body, 'si x &lt; y &amp;amp; z');
  t.notMatch(answer.body, '<script>alert');
  t.match(answer.body, '<mark>hypertexte</mark>');
  t.notMatch(answer.body, '<mark>piégé');
  const echoed = await visit(app, `/user/recherche?q=${encodeURIComponent('"><img src=x>')}`, learner.session);
  t.notMatch(echoed.body, '<img src=x');
});

t.test('empty, too short, unmatched and malformed searches', async (t) => {
  const { learner } = await course('ENS Vide');
  t.match((await search({}, learner.session)).text, 'Saisissez un mot ou une notion');
  t.match((await search({ q: ' a ' }, learner.session)).text, 'Saisissez au moins 2 lettres ou chiffres.');
  t.match((await search({ q: 'introuvable' }, learner.session)).text, 'Aucun contenu ne correspond à « introuvable ».');
  t.match((await search({ q: 'de la' }, learner.session)).text, 'Aucun contenu ne correspond à « de la ».');
  for (const q of ['"', "' & | ! ( ) :* <->", 'a\u0000b', '\\', '-- "x']) t.equal((await search({ q }, learner.session)).status, 200, q);
  const bad = async (query: string) => {
    const { statusCode, body } = await visit(app, `/user/recherche?${query}`, learner.session);
    return [statusCode, /undefined|\[object/.test(body)];
  };
  for (const query of [`q=${'a'.repeat(101)}`, 'q=ab&page=0', 'q=ab&page=6', 'q=ab&page=x', 'q=ab&prepa=x', 'q=ab&q=cd']) {
    t.same(await bad(query), [400, false], query);
  }
  t.match(await search({ q: 'ab', prepa: 2_000_000_000 }, learner.session), { status: 404 });
});

t.test('stop words and internal index words find nothing', async (t) => {
  const { prepa, discipline, learner } = await course('ENS Lettres');
  t.same((await search({ q: 'de la', prepa: prepa.id })).titles, [], 'stop words find no item in a trial');
  const words = `\u0001${discipline.id}`;
  const found = await searchOpen(kernel.fork(), { words, userId: learner.id, now: clock.now(), prepaId: null, page: 1 });
  t.same(found, [], 'the internal index word of a discipline finds no item');
});

t.test('a learner without an active enrolment sees the reason and a link to the catalogue', async (t) => {
  const { prepa, learner } = await course('ENS Active');
  const [ended, cancelled] = [await createLearner(home), await createLearner(home)];
  await createEnrolment(home, ended, prepa, -1);
  await createEnrolment(home, cancelled, prepa, 10, 'cancelled');
  const told = "Vous n'avez aucune préparation active";
  for (const { session } of [await createLearner(home), ended, cancelled]) {
    for (const url of ['/user/recherche', '/user/recherche?q=equations']) {
      const { statusCode, body } = await visit(app, url, session);
      t.equal(statusCode, 200);
      const { document } = parseHTML(body);
      t.match(document.querySelector('.empty')?.textContent, told, url);
      t.equal(document.querySelector('.empty a')?.getAttribute('href'), '/user/preparations');
      t.notMatch(document.querySelector('main')?.textContent, /Aucun contenu|Saisissez un mot/);
    }
  }
  t.notMatch((await search({ q: 'introuvable' }, learner.session)).text, told);
  t.match(
    (await search({ q: 'introuvable', prepa: prepa.id }, ended.session)).text,
    'Aucun contenu',
    'the search of a trial has its own message',
  );
});

t.test('readers without access find nothing in locked texts', async (t) => {
  const { prepa, discipline, learner, first } = await course('ENS Fermée');
  await course('ENS Ailleurs').then(async ({ learner: elsewhere, prepa: other }) => {
    const titles = (await search({ q: 'equations' }, elsewhere.session)).results.map(({ href }) => href);
    t.equal(titles.length, 2);
    t.ok(titles.every((href) => href?.startsWith(`/user/prepa/${other.id}/`)));
  });
  t.match(await search({ q: 'equations' }), { status: 303, location: /connexion=1/ });
  const stranger = await createLearner(home);
  t.same((await search({ q: 'equations' }, stranger.session)).results, []);
  const ended = await createLearner(home);
  await createEnrolment(home, ended, prepa, -1);
  t.same((await search({ q: 'equations' }, ended.session)).results, []);
  const cancelled = await createLearner(home);
  await createEnrolment(home, cancelled, prepa, 10, 'cancelled');
  t.same((await search({ q: 'equations' }, cancelled.session)).results, []);
  const administrator = await createAdministrator(home);
  const disabled = await createAdministrator(home, 'super_admin');
  await sql(databaseUrl, 'update administrator set disabled_at = now() where id = $1', [disabled.id]);
  t.match(
    await search({ q: 'equations' }, administrator.session),
    { status: 303 },
    "an administrator's session is not a learner's session",
  );

  const trial = `/user/prepa/consultation/${prepa.id}/${discipline.id}`;
  for (const [who, session] of [
    ['a visitor', undefined],
    ['another learner', stranger.session],
    ['one whose access has ended', ended.session],
    ['one whose enrolment was cancelled', cancelled.session],
    ['an administrator', administrator.session],
    ['one who was disabled', disabled.session],
  ] as const) {
    const find = (q: string) => search({ q, prepa: prepa.id }, session);
    t.same((await find('differentielles')).results, [{ titre: 'Ouverture', href: `${trial}?type=course&item=${first.id}` }], who);
    const locked = await find('alambic');
    t.same(locked.results, [{ titre: 'Alambic (verrouillé)', href: null }], who);
    t.notMatch(locked.text, 'distillation', who);
    for (const q of ['distillation', 'fractionnée', 'alambic distillation', '"alambic distillation"'])
      t.same((await find(q)).results, [], `${who}: ${q}`);
    // Excluding a word must not reveal whether a locked text holds it.
    for (const q of ['alambic -distillation', 'alambic -chimie', 'alambic "-distillation"', 'alambic ("x"-distillation']) {
      t.same((await find(q)).results, [], `${who}: ${q}`);
    }
  }
  t.same(
    (await search({ q: 'distillation', prepa: prepa.id }, learner.session)).titles,
    ['Alambic'],
    "an enrolled learner finds the word in the prepa's search too",
  );

  await sql(databaseUrl, 'update prepa set is_published = false where id = $1', [prepa.id]);
  t.equal((await search({ q: 'alambic', prepa: prepa.id })).status, 404, 'an unpublished prepa is a 404');
  t.same(
    (await search({ q: 'distillation', prepa: prepa.id }, learner.session)).titles,
    ['Alambic'],
    'enrolled learners can search an unpublished prepa',
  );
  clock.advance(11 * 24 * 3_600_000);
  t.same((await search({ q: 'distillation' }, learner.session)).results, [], 'learners find no item after their access has ended');
  clock.advance(-11 * 24 * 3_600_000);
});

t.test('the passage of a long text contains the word, however far into the text', async (t) => {
  const { discipline, learner } = await course('ENS Longue');
  const filler = (letters: number) => 'La tropicale épiphyte pousse. '.repeat(letters / 30);
  const contenu = `<p>${filler(30_000)}Le phototropisme naît. ${filler(39_000)}Les végétaux brûlés. ${filler(30_000)}</p>`;
  await createItem(home, discipline.id, {
    titre: 'Plantes',
    numeroPage: 3,
    contenu,
    corrige: `<p>${filler(36_000)}Des bourgeons terminaux.</p>`,
  });
  const found = async (q: string) => (await search({ q }, learner.session)).texts('mark');
  t.same(await found('phototropisme'), ['phototropisme'], 'a word is found after 30,000 letters');
  t.same(await found('vegetal'), ['végétaux'], 'another form of a word is found after 69,000 letters');
  t.same(await found('bourgeon'), ['bourgeons'], 'a word is found in a correction');
  t.ok((await found('pousser phototropisme')).includes('phototropisme'), 'the passage that holds all words is shown');
  t.same(await found('phototropisme bruler'), ['phototropisme', 'brûlés'], 'two passages are shown, each with one of the words');
  t.same(await found('plantes phototropisme'), ['phototropisme'], 'the passage has the word that is not in the title');
  // Wherever a text is cut into pieces, each word is entirely in at least one piece.
  for (const place of [9_490, 9_497, 9_995, 9_999, 19_000, 19_496]) {
    const word = `zymologie${String.fromCharCode(97 + (place % 26))}${'x'.repeat(place % 7)}`;
    const text = `${'mot '.repeat(place / 4)}${'a'.repeat(place % 4)} ${word} ${'mot '.repeat(3_000)}`;
    await createItem(home, discipline.id, { titre: 'Coupure', numeroPage: place, contenu: `<p>${text}</p>` });
    t.same(await found(word), [word], `at ${place}`);
  }
});

t.test('passages show formulas in one-line form instead of LaTeX, and the internal formula marks cannot be searched', async (t) => {
  const { discipline, learner } = await course('ENS Formules');
  const formula = (latex: string, drawn = renderFormula(latex, false)) =>
    `<span class="formula" data-latex="${escapeHtml(latex)}">${drawn}</span>`;
  const block = `<div class="formula-block" data-latex="\\int_0^1 f" tabindex="0" role="group" aria-label="Formule">${renderFormula('\\int_0^1 f', true)}</div>`;
  // Formulas as drawn before they had a one-line form, and a formula that could not be drawn.
  const earlier = '<math><mfrac><mn>1</mn><mi>n</mi></mfrac></math>';
  const passages = [
    [
      `Soit ${formula('u_n = \\dfrac{n+6}{n+3}')}, barycentrique, de limite ${formula('\\alpha')} dans ${formula('\\mathbb{R}^*')} si ${formula('x < 1')} à ${formula('60^\\circ')} :</p>${block}<p>Puis \uE002vient\uE003 la fin`,
      'Soit u_n = (n+6)/(n+3), barycentrique, de limite α dans ℝ∗ si x < 1 à 60∘ : ∫_0^1 f Puis',
    ],
    [
      `L'hyperbole ${formula('\\dfrac{1}{n}', earlier)}, puis ${formula('x', '<math><mi>x</mi></math>')} et ${formula('\\foo{', '<code>\\foo{</code>')} décroît de ${formula("f''(x)")} dérivée`,
      'hyperbole [formule], puis x et [formule] décroît de f′′(x) dérivée',
    ],
    [`Le triskaïdécagone ${formula(`${'2 + '.repeat(40)}\\dfrac{1}{n}`)}`, 'triskaïdécagone [formule]'],
  ] as const;
  for (const [number, [contenu]] of passages.entries())
    await createItem(home, discipline.id, { titre: `Bornes ${number}`, numeroPage: 3 + number, contenu: `<p>${contenu}.</p>` });
  for (const [number, word] of ['barycentrique', 'hyperbole', 'triskaïdécagone'].entries()) {
    const { texts } = await search({ q: word }, learner.session);
    t.match(texts('.result p:not(.result__place)'), [passages[number]?.[1]]);
    t.same(texts('mark'), [word]);
  }
  t.same((await search({ q: 'formule' }, learner.session)).titles, [], 'the placeholder of a formula is not searchable');
});

t.test('searches per minute are limited, by address for visitors and by learner', async (t) => {
  const { prepa, learner } = await course('ENS Pressée');
  const ask = (remoteAddress: string, cookie = '', accept = 'text/html') =>
    app.inject({ url: `/user/recherche?q=introuvable&prepa=${prepa.id}`, remoteAddress, headers: { accept, cookie } });
  const most = async (count: number, address: string, cookie?: string) => {
    const codes = await Promise.all(Array.from({ length: count }, async () => (await ask(address, cookie)).statusCode));
    t.same([...new Set(codes)], [200]);
    const { statusCode, headers, body } = await ask(address, cookie);
    t.equal(statusCode, 429);
    t.match(headers['retry-after'], /^\d+$/);
    t.match(body, 'Trop de tentatives. Réessayez dans ');
    await assertValidHtml(t, body);
  };
  await most(searchesPerMinute.address, '192.0.2.1');
  t.equal((await ask('192.0.2.1', '', 'application/json')).json<{ message: string }>().message.slice(0, 19), 'Trop de tentatives.');
  t.equal((await ask('192.0.2.2')).statusCode, 200, 'another address is not limited');
  await most(searchesPerMinute.learner, '192.0.2.1', learner.session);
  const nothing = await app.inject({
    url: `/user/recherche?prepa=${prepa.id}`,
    remoteAddress: '192.0.2.1',
    headers: { accept: 'text/html' },
  });
  t.equal(nothing.statusCode, 200, 'the empty form is never refused');
});

t.test('a passage is cut once for all searches with the same words, and again when its text changes', async (t) => {
  const { first, discipline, learner, prepa } = await course('ENS Passages');
  const other = await createLearner(home);
  await createEnrolment(home, other, prepa, 10);
  const cuts = async (session: string) => {
    const sent = await statementsDuring(() => search({ q: 'Linéaires' }, session));
    return sent.filter(({ name }) => name === 'content.search-passages').length;
  };
  t.equal(await cuts(learner.session), 1);
  t.equal(await cuts(other.session), 0, 'the search of another learner cuts no passage again');
  t.match((await search({ q: 'linéaires' }, other.session)).text, 'équations différentielles linéaires');
  await sql(databaseUrl, `update item set contenu = '<p>Rien que linéaires.</p>' where id = $1`, [first.id]);
  await indexItems(kernel.fork());
  t.equal(await cuts(learner.session), 1);
  t.match((await search({ q: 'linéaires' }, learner.session)).text, 'Rien que linéaires');
  await createItem(home, discipline.id, { numeroPage: 3 });
  const stranger = await createLearner(home);
  t.notMatch((await search({ q: 'linéaires' }, stranger.session)).text, 'Rien que', 'a learner without access does not see the passage');
});

t.test('a passage shows the text as written, with adjacent found words in one mark', async (t) => {
  const { discipline, learner } = await course('ENS Droit');
  const contenu = '<p>La Loi n° 96‑06 du 18 janvier 1996, l’O.N.U. et la presqu’île : 12\u202f000 F, CO<sub>2</sub>.</p>';
  await createItem(home, discipline.id, { titre: 'Fondements', numeroPage: 3, contenu });
  for (const [q, ...marks] of [
    ['96-06', '96‑06'],
    ['onu', 'O.N.U.'],
    ["presqu'ile", 'presqu’île'],
    ['12000', '12 000'],
    ['co₂', 'CO2'],
    ['Loi n° 96-06 du 18 janvier 1996', 'Loi', '96‑06', '18', 'janvier', '1996'],
  ] as const) {
    const { texts } = await search({ q }, learner.session);
    t.same(texts('mark'), marks, q);
    t.match(texts('.result p:not(.result__place)'), ['et la presqu’île : 12 000 F, CO2'], q);
  }
});

t.test('texts saved by the previous release are found once their words are indexed, and a deleted item leaves no words', async (t) => {
  const { first, learner } = await course('ENS Avant');
  await sql(databaseUrl, `update item set contenu = '<p>La photogrammétrie de 1996-97.</p>', version = version + 1 where id = $1`, [
    first.id,
  ]);
  t.same((await search({ q: 'différentielles' }, learner.session)).titles, [], 'an item is not found by the words of its earlier text');
  t.equal(await indexItems(kernel.fork()), 1);
  t.equal(await indexItems(kernel.fork()), 0, 'an indexed item is not indexed again');
  t.same((await search({ q: 'photogrammetrie 1996/97' }, learner.session)).titles, ['Ouverture']);
  await sql(databaseUrl, 'delete from item where id = $1', [first.id]);
  t.same(await sql(databaseUrl, 'select item_id from item_words where item_id = $1', [first.id]), []);
});

/**
 * Returns the number of rows returned by each plan node of a type that was executed, over all its loops. How small tables are read depends on
 * when their statistics were last gathered.
 * @param of the table or index
 */
const rowsOf = (nodes: PlanNode[], kind: string, of: string): number[] =>
  nodes
    .filter((node) => node['Node Type'] === kind && (node['Index Name'] ?? node['Relation Name']) === of && (node['Actual Loops'] ?? 0) > 0)
    .map((node) => Math.round((node['Actual Rows'] ?? 0) * (node['Actual Loops'] ?? 0)));

t.test('a question is found by its statement and choices; one with a fault, which learners do not see, is not', async (t) => {
  const { discipline, learner } = await course('ENS Questions');
  const asked = (id: string, word: string) =>
    choiceQuestion({
      id,
      statement: `Qu'est-ce qu'un <strong>${word}</strong> ?`,
      choices: [
        { id: `a${id.slice(1)}`, text: `le ${word}choix`, right: true },
        { id: `b${id.slice(1)}`, text: 'autre' },
      ],
    });
  await createItem(home, discipline.id, {
    titre: 'Questions',
    numeroPage: 9,
    contenu: `<p>Avant quirite.</p>${faulty(asked('faultysearch', 'zygomar'))}<p>Entre quirote.</p>${asked('goodsearched', 'zygopal')}`,
  });
  for (const q of ['zygomar', 'zygomarchoix']) t.same((await search({ q }, learner.session)).titles, [], q);
  for (const q of ['zygopal', 'zygopalchoix', 'quirite', 'quirote']) {
    const { titles, text } = await search({ q }, learner.session);
    t.same(titles, ['Questions'], q);
    t.notMatch(text, 'zygomar');
  }
});

t.test('20,000 items: the index is used, a bounded number of rows is ranked, and results have pages', async (t) => {
  const { learner } = await course('ENS Grande');
  const at = new Date(clock.now().getTime() + 1);
  const prepas = await sql<{ id: number }>(
    databaseUrl,
    `insert into prepa (nom, prix, description, is_published, created_at, updated_at)
     select 'Grande ' || n, 1, 'x', true, $1, $1 from generate_series(1, 10) n returning id`,
    [at],
  );
  const ids = prepas.map(({ id }) => id);
  await sql(
    databaseUrl,
    `insert into enrolment (user_id, prepa_id, prepa_nom, statut, date_inscription, date_expiration)
     select $1, p, 'Grande', 'active', $3, $3::timestamptz + interval '10 days' from unnest($2::int[]) p`,
    [learner.id, ids.slice(5), at],
  );
  await sql(
    databaseUrl,
    `with d as (insert into discipline (prepa_id, nom, description, created_at, updated_at)
                select p, 'Partie ' || n, 'x', $2, $2 from unnest($1::int[]) p, generate_series(1, 4) n returning id)
     insert into item (discipline_id, kind, titre, numero_page, contenu, created_at, updated_at)
     select d.id, 'course', 'Fiche ' || n, n,
            '<p>' || case when n % 50 = 0 then 'Cryptographie ' else '' end || repeat('Fiche courante du programme numéro ' || n || '. ', 12) || '</p>', $2, $2
     from d, generate_series(1, 500) n`,
    [ids, at],
  );
  t.equal(await indexItems(kernel.fork()), 20_000);
  await sql(databaseUrl, 'vacuum analyze item_words');

  const all = await statementsDuring(async () => {
    const rare = await search({ q: 'cryptographie' }, learner.session);
    t.equal(rare.results.length, 20);
    t.match(rare.text, 'Les 100 premiers résultats');
    t.same(rare.texts('.pagination a'), ['1', '2', '3', '4', '5', 'Suivant']);
    const second = await search({ q: 'cryptographie', page: 2 }, learner.session);
    const hrefs = new Set([...rare.results, ...second.results].map(({ href }) => href));
    t.equal(hrefs.size, 40, 'each item appears once');
    t.equal((await search({ q: 'alambic', page: 2 }, learner.session)).status, 303, 'a page beyond the last result is a redirect');
    t.match((await search({ q: 'cryptografhie' }, learner.session)).text, 'Vouliez-vous dire : Cryptographie ?');
    await search({ q: 'cryptographie', prepa: ids[0] ?? 0 });
    await search({ q: 'programme', prepa: ids[0] ?? 0 });
    await search({ q: 'programme' }, learner.session);
  });
  // On a site with replicas, the primary returns the open prepas, and a replica searches their items.
  const sent = all.filter(({ name }) => name === 'content.search' || name === 'content.search-prepas');
  const [open, trial, common] = [sent[0], all.find(({ name }) => name === 'content.search-trial'), sent.at(-1)];
  for (const [name, statement] of Object.entries({ open, trial, common })) {
    const nodes = await planOf(databaseUrl, statement, { run: true });
    const visited = rowsOf(nodes, 'Bitmap Heap Scan', 'item_words');
    t.ok(Number(nodes.find((node) => node['Subplan Name'] === 'CTE found')?.['Actual Rows']) <= 500, `${name}: ranked`);
    if (name === 'common') continue;
    t.ok(
      nodes.some((node) => node['Index Name'] === 'item_words_index'),
      name,
    );
    t.same(visited, name === 'open' ? [200] : [40], `${name}: of 20,000 rows only the found rows are read`);
  }
  const near = await planOf(
    databaseUrl,
    all.find(({ name }) => name === 'content.near-words'),
    { run: true },
  );
  t.ok(near.some((node) => node['Index Name'] === 'item_words_index'));
  t.notOk(
    near.some((node) => node['Node Type'] === 'Seq Scan' && node['Relation Name'] === 'item_words'),
    'no scan of all items',
  );
  const everywhere = all.findLast(({ name }) => name === 'content.search-trial');
  const found = rowsOf(await planOf(databaseUrl, everywhere, { run: true }), 'Bitmap Index Scan', 'item_words_index');
  t.same(found, [2_000], "of 20,000 rows with the word only the prepa's rows are read");
});

t.test('a search costs at most three times its query alone', async (t) => {
  const { learner } = await course('ENS Rapide');
  await sql(
    databaseUrl,
    `insert into enrolment (user_id, prepa_id, prepa_nom, statut, date_inscription, date_expiration)
     select $1, id, nom, 'active', $2, $2::timestamptz + interval '10 days' from prepa where nom like 'Grande %'`,
    [learner.id, new Date(clock.now().getTime() + 1)],
  );
  // As autovacuum does at any time: statements that were planned for the few rows of the first tests are planned anew.
  await sql(databaseUrl, 'analyze');
  const em = kernel.fork();
  const median = (times: number[]) => times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0;
  const timed = async (times: number[], run: () => Promise<unknown>) => {
    const start = performance.now();
    await run();
    times.push(performance.now() - start);
  };
  for (const words of ['cryptographie', 'programme']) {
    const [page, alone]: [number[], number[]] = [[], []];
    for (let turn = 0; turn < 15; turn += 1) {
      await timed(page, () => visit(app, `/user/recherche?q=${words}`, learner.session));
      await timed(alone, () => searchOpen(em, { words, userId: learner.id, now: clock.now(), prepaId: null, page: 1 }));
    }
    t.ok(median(page) < 3 * median(alone), `${words}: ${median(page)} ms a page, ${median(alone)} ms the query`);
  }
});
