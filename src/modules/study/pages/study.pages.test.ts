import { parseHTML } from 'linkedom';
import t from 'tap';
import { createTestApp, squeeze, visit } from '../../../../test/support/app.ts';
import { createDiscipline, createEnrolment, createItem, createLearner, createPrepa } from '../../../../test/support/factories.ts';
import { numberQuestion } from '../../../../test/support/questions.ts';
import { sql } from '../../../../test/support/sql.ts';

const home = await createTestApp(t);
const { app, clock, databaseUrl } = home;

async function page(url: string, session?: string) {
  const answer = await visit(app, url, session);
  const { document } = parseHTML(answer.body);
  const texts = (selector: string) => [...document.querySelectorAll(selector)].map((element) => squeeze(element.textContent));
  const hrefs = (selector: string) => [...document.querySelectorAll(selector)].map((element) => element.getAttribute('href'));
  return { answer, document, texts, hrefs, title: squeeze(document.querySelector('#study-title')?.textContent) };
}

async function openDiscipline() {
  const prepa = await createPrepa(home, { nom: 'ENS' });
  const discipline = await createDiscipline(home, prepa.id);
  const learner = await createLearner(home);
  await createEnrolment(home, learner, prepa, 1);
  return { prepa, discipline, learner, url: `/user/prepa/${prepa.id}/${discipline.id}` };
}

t.test('the page has three sections with their counts and shows the first lesson', async (t) => {
  const { discipline, learner, url } = await openDiscipline();
  // Created in another order than that of the contents list.
  const second = await createItem(home, discipline.id, { titre: 'Limites', numeroPage: 2 });
  const first = await createItem(home, discipline.id, { titre: 'Suites', numeroPage: 1, contenu: '<p>Une suite est une fonction.</p>' });
  const exercise = await createItem(home, discipline.id, { kind: 'exercise', titre: 'Étude' });
  const subject = await createItem(home, discipline.id, { kind: 'pastExam', titre: 'ENS 2023' });
  const { answer, document, texts, hrefs, title } = await page(url, learner.session);
  t.equal(answer.statusCode, 200);
  t.equal(squeeze(document.querySelector('h1')?.textContent), `ENS > ${discipline.nom}`);
  t.same(texts('nav.study__nav summary'), ['Cours (2)', 'Exercices & Corrigés (1)', 'Anciens Sujets & Corrigés (1)']);
  t.same(hrefs('main a.back'), [url.slice(0, url.lastIndexOf('/'))]);
  t.equal(title, 'Suites');
  t.match(texts('article'), [/Une suite est une fonction\./]);
  t.same(texts('.study__page'), ['Page 1 sur 2']);
  t.same(hrefs('.toc a'), [
    `${url}?type=course&item=${first.id}`,
    `${url}?type=course&item=${second.id}`,
    `${url}?type=exercise&item=${exercise.id}`,
    `${url}?type=pastExam&item=${subject.id}`,
  ]);
  t.same(
    texts('.pager a').map((text, index) => [text, hrefs('.pager a')[index]]),
    [
      ['Précédent', null],
      ['Suivant', `${url}?type=course&item=${second.id}`],
    ],
  );
  t.equal(texts('.toc a')[3], '2023ENS 2023', 'a past exam has its year as its number');
  t.match(document.title, `Suites - ${discipline.nom} - ENS`);
});

t.test('series stand in a fourth section, which a discipline without series does not have', async (t) => {
  const { discipline, learner, url } = await openDiscipline();
  await createItem(home, discipline.id, { titre: 'Suites' });
  const three = ['Cours (1)', 'Exercices & Corrigés (0)', 'Anciens Sujets & Corrigés (0)'];
  t.same((await page(url, learner.session)).texts('nav.study__nav summary'), three);
  await createItem(home, discipline.id, { kind: 'quiz', titre: 'Sans question', numeroPage: 2 });
  t.same((await page(url, learner.session)).texts('nav.study__nav summary'), three);
  const contenu = numberQuestion('studiedasked', '4');
  const series = await createItem(home, discipline.id, { kind: 'quiz', titre: 'Révisions', contenu });
  const { texts, hrefs } = await page(url, learner.session);
  t.same(texts('nav.study__nav summary'), [...three, 'Questions (1)']);
  t.same(hrefs('.toc a').at(-1), `${url}?type=quiz&item=${series.id}`);
  t.equal((await page(`${url}?type=quiz&item=${series.id}`, learner.session)).title, 'Révisions');
});

t.test('a deep link opens its item, with the corrigé, if any, closed', async (t) => {
  const { discipline, learner, url } = await openDiscipline();
  await createItem(home, discipline.id, { titre: 'Une leçon' });
  const plain = await createItem(home, discipline.id, { kind: 'exercise', titre: 'Sans corrigé', numeroPage: 1 });
  const corrected = await createItem(home, discipline.id, {
    kind: 'exercise',
    titre: 'Avec corrigé',
    numeroPage: 2,
    contenu: '<p>Énoncé</p>',
    corrige: '<p>La réponse est 42.</p>',
  });
  const { document, texts, title } = await page(`${url}?type=exercise&item=${corrected.id}`, learner.session);
  t.equal(title, 'Avec corrigé');
  t.same(texts('.study__page'), ['Page 2 sur 2']);
  t.same(texts('details.correction summary span'), ['Voir le corrigé', 'Masquer le corrigé']);
  t.notOk(document.querySelector('details.correction')?.hasAttribute('open'));
  t.match(texts('details.correction'), [/La réponse est 42\./]);
  t.notOk((await page(`${url}?type=exercise&item=${plain.id}`, learner.session)).document.querySelector('.correction'));
});

t.test('without lessons the first exercise is shown, and an empty discipline has a message', async (t) => {
  const { discipline, learner, url } = await openDiscipline();
  const none = await page(url, learner.session);
  t.equal(none.answer.statusCode, 200);
  t.match(squeeze(none.document.querySelector('main')?.textContent), 'Sélectionnez un contenu pour commencer');
  t.same(none.texts('.toc__empty'), ['Aucun cours disponible', 'Aucun exercice disponible', 'Aucun ancien sujet disponible']);
  await createItem(home, discipline.id, { kind: 'pastExam', titre: 'Un sujet' });
  t.equal((await page(url, learner.session)).title, 'Un sujet');
  await createItem(home, discipline.id, { kind: 'exercise', titre: 'Un exercice' });
  t.equal((await page(url, learner.session)).title, 'Un exercice');
});

t.test('an address of a missing item or discipline is a 400 or 404 page', async (t) => {
  const { prepa, discipline, learner, url } = await openDiscipline();
  const lesson = await createItem(home, discipline.id);
  const elsewhere = await createDiscipline(home, prepa.id);
  const theirs = await createItem(home, elsewhere.id);
  const other = await openDiscipline();
  const status = async (path: string) => {
    const { answer, texts } = await page(path, learner.session);
    return [answer.statusCode, texts('main .lead')[0]];
  };
  t.same(await status(`${url}?type=video&item=${lesson.id}`), [400, 'Type de contenu non reconnu']);
  t.same(await status(`${url}?item=${lesson.id}`), [400, 'Type de contenu non reconnu']);
  t.match(await status(`${url}?type=course&item=x`), [400]);
  t.match(await status(`${url}?type=course`), [400]);
  for (const path of [`${url}?type=course&item=2000000000`, `${url}?type=exercise&item=${lesson.id}`])
    t.same(await status(path), [404, "Ce contenu n'existe pas ou n'existe plus."], path);
  const moved = await visit(app, `${url}?type=course&item=${theirs.id}`, learner.session);
  t.match([moved.statusCode, moved.headers.location], [303, `/user/prepa/${prepa.id}/${elsewhere.id}?type=course&item=${theirs.id}`]);
  for (const path of [`/user/prepa/${prepa.id}/2000000000`, `/user/prepa/${prepa.id}/${other.discipline.id}`]) {
    t.same(await status(path), [404, "Cette discipline n'existe pas ou n'est plus disponible."], path);
  }
});

t.test('a learner without enrolment is redirected to the trial of the same discipline, with the reason', async (t) => {
  const { prepa, discipline, learner, url } = await openDiscipline();
  await createItem(home, discipline.id);
  const stranger = await createLearner(home);
  const refused = async (session: string) => {
    const answer = await visit(app, url, session);
    const flash = answer.cookies.find(({ name }) => name === 'flash')?.value;
    const trial = await page(String(answer.headers.location), `${session}; flash=${flash}`);
    return { status: answer.statusCode, location: answer.headers.location, reason: trial.texts('.toast, .banner__reason')[0] };
  };
  const location = `/user/prepa/consultation/${prepa.id}/${discipline.id}`;
  t.match(await refused(stranger.session), { status: 303, location, reason: /^Vous n'êtes pas encore inscrit à cette préparation/ });
  clock.advance(24 * 3_600_000);
  t.match(await refused(learner.session), { status: 303, location, reason: /^Votre accès a pris fin le/ });
});

t.test('a visitor is redirected to the sign-in and back, and an ended session to /login', async (t) => {
  const { url } = await openDiscipline();
  const deep = `${url}?type=course&item=5`;
  t.match((await visit(app, deep)).headers.location, `/?connexion=1&suite=${encodeURIComponent(deep)}`);
  // The reason shown is one of the site's own sentences; no text comes from the address.
  const why = async (path: string) => {
    const { texts } = await page(String((await visit(app, path)).headers.location ?? path));
    return texts('.auth__reason')[0];
  };
  t.equal(await why(deep), 'Connectez-vous pour lire cette leçon.');
  t.equal(await why(`${url}?type=exercise&item=5`), 'Connectez-vous pour lire cet exercice.');
  t.equal(await why(url), 'Connectez-vous pour lire cette discipline.');
  t.equal(await why(`${url}/entrainement?type=exercise&item=5`), 'Connectez-vous pour vous entraîner.');
  t.equal(await why(url.slice(0, url.lastIndexOf('/'))), 'Connectez-vous pour ouvrir cette préparation.');
  t.equal(await why('/user/paiements'), 'Connectez-vous pour voir vos paiements.');
  t.equal(await why('/?connexion=1&suite=//ailleurs.example/'), 'Connectez-vous pour ouvrir votre espace.');
  t.equal(await why('/?connexion=1'), undefined);
  t.match((await visit(app, deep, 'userToken=fini')).headers.location, `/login?suite=${encodeURIComponent(deep)}`);
});

t.test('when reading fails, the page shows an error with links to retry and to go back', async (t) => {
  const { prepa, learner, url } = await openDiscipline();
  await sql(databaseUrl, 'alter table item rename to item_away');
  for (const [path, back] of [
    [`${url}?type=course&item=5`, `/user/prepa/${prepa.id}`],
    [`${url}/entrainement?type=exercise&item=5`, `/user/prepa/${prepa.id}`],
    ['/user/a-revoir', '/user/dashboard'],
    ['/user/recherche?q=suite', '/user/dashboard'],
  ] as const) {
    const { answer, texts, hrefs } = await page(path, learner.session);
    t.equal(answer.statusCode, 500, path);
    t.same(texts('main h1'), ['Erreur lors du chargement du contenu']);
    t.same(texts('main .lead'), ['Une erreur est survenue lors du chargement des données. Veuillez réessayer.']);
    t.same(
      [texts('main .actions a'), hrefs('main .actions a')],
      [
        ['Réessayer', 'Retour'],
        [path, back],
      ],
    );
  }
  await sql(databaseUrl, 'alter table item_away rename to item');
  t.equal((await page(url, learner.session)).answer.statusCode, 200);
});

t.test("the page contains the text once, not again in the island's props", async (t) => {
  const { discipline, learner, url } = await openDiscipline();
  await createItem(home, discipline.id, { contenu: '<p>Une phrase que rien ne répète.</p>' });
  const { answer } = await page(url, learner.session);
  t.equal(answer.body.split('Une phrase que rien ne répète.').length, 2);
});

t.test('formulas come without the LaTeX that the editor alone needs', async (t) => {
  const { discipline, learner, url } = await openDiscipline();
  const formula = '<span class="formula" data-latex="x^2"><math><mi>x</mi></math></span>';
  const exercise = await createItem(home, discipline.id, { kind: 'exercise', contenu: `<p>${formula}</p>`, corrige: `<p>${formula}</p>` });
  const address = `type=exercise&item=${exercise.id}`;
  for (const path of [`${url}?${address}`, `${url}/entrainement?${address}&corrige=oui`]) {
    const { body } = await visit(app, path, learner.session);
    t.equal(body.split('<span class="formula"><math>').length - 1, 2);
    t.notMatch(body, 'data-latex');
  }
});
