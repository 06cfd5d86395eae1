import { parseHTML } from 'linkedom';
import t from 'tap';
import { createTestApp, squeeze, visit } from '../../../../test/support/app.ts';
import { createDiscipline, createEnrolment, createItem, createLearner, createPrepa } from '../../../../test/support/factories.ts';
import { sql } from '../../../../test/support/sql.ts';

const home = await createTestApp(t);
const { app } = home;

async function page(url: string, session?: string) {
  const answer = await visit(app, url, session);
  const { document } = parseHTML(answer.body);
  const texts = (selector: string) => [...document.querySelectorAll(selector)].map((element) => squeeze(element.textContent));
  const hrefs = (selector: string) => [...document.querySelectorAll(selector)].map((element) => element.getAttribute('href'));
  return { answer, document, texts, hrefs, main: squeeze(document.querySelector('main')?.textContent) };
}

async function openTrial() {
  const prepa = await createPrepa(home, { nom: 'ENAM', prix: 25_000 });
  const discipline = await createDiscipline(home, prepa.id);
  const lesson = await createItem(home, discipline.id, { titre: 'Libre', numeroPage: 1, contenu: '<p>Texte libre</p>' });
  const locked = await createItem(home, discipline.id, { titre: 'Fermée', numeroPage: 2, contenu: '<p>Texte fermé</p>' });
  const exercise = await createItem(home, discipline.id, { kind: 'exercise', titre: 'Premier exercice', corrige: '<p>Corrigé libre</p>' });
  const secret = await createItem(home, discipline.id, {
    kind: 'exercise',
    titre: 'Second exercice',
    numeroPage: 2,
    corrige: '<p>Secret</p>',
  });
  return { prepa, discipline, lesson, locked, exercise, secret, url: `/user/prepa/consultation/${prepa.id}/${discipline.id}` };
}

t.test('a visitor reads the first item of each section, and sees only the titles of the other items', async (t) => {
  const { lesson, exercise, url, prepa } = await openTrial();
  const { answer, texts, hrefs, main } = await page(url);
  t.equal(answer.statusCode, 200);
  t.same(texts('nav.study__nav summary'), ['Cours (2)', 'Exercices & Corrigés (2)', 'Anciens Sujets & Corrigés (0)']);
  t.same(hrefs('nav.study__nav a[href^="/"]'), [`${url}?type=course&item=${lesson.id}`, `${url}?type=exercise&item=${exercise.id}`]);
  t.same(texts('nav.study__nav a[href="#acces-limite"]'), ['2Fermée (verrouillé)', '2Second exercice (verrouillé)']);
  t.match(main, 'Texte libre');
  t.notMatch(answer.body, /Texte fermé|Secret/);
  t.same(hrefs('.pager a'), [null, '#acces-limite'], 'pagination leads to no other page');
  t.same(hrefs('a.back'), [`/user/prepa/consultation/${prepa.id}`]);

  const second = await page(`${url}?type=exercise&item=${exercise.id}`);
  t.match(second.main, 'Corrigé libre');
  t.notMatch(second.answer.body, 'Secret');
});

t.test('the banner and its two buttons', async (t) => {
  const { prepa, url } = await openTrial();
  const banner = async (session?: string) => {
    const { document, main } = await page(url, session);
    t.equal(squeeze(document.querySelector('.banner__title')?.textContent), 'Accès limité');
    t.match(main, "Vous consultez une version d'essai. Pour accéder à tout le contenu, veuillez vous inscrire à cette préparation.");
    return [...document.querySelectorAll('main a.button')]
      .filter((link) => /^(S'inscrire|Débloquer)/.test(squeeze(link.textContent)))
      .map((link) => [squeeze(link.textContent), link.getAttribute('href'), link.getAttribute('data-montant')]);
  };
  const suite = `/?inscription=1&suite=${encodeURIComponent(`/user/dashboard?paiement=${prepa.id}`)}`;
  t.same(await banner(), [
    ["S'inscrire ENAM", suite, null],
    ['Débloquer les 2 autres contenus : 25 000 XAF, 30 jours ENAM', suite, null],
    ["S'inscrire maintenant ENAM", suite, null],
  ]);
  const pay = `/user/dashboard?paiement=${prepa.id}`;
  t.same(await banner((await createLearner(home)).session), [
    ["S'inscrire ENAM", pay, '25000'],
    ['Débloquer les 2 autres contenus : 25 000 XAF, 30 jours ENAM', pay, '25000'],
    ["S'inscrire maintenant ENAM", pay, '25000'],
  ]);
  const alone = await createDiscipline(home, prepa.id);
  for (const numeroPage of [1, 2]) await createItem(home, alone.id, { numeroPage });
  const unlock = async (address = `/user/prepa/consultation/${prepa.id}/${alone.id}`) =>
    (await page(address)).texts('.banner a').filter((text) => text.startsWith('Débloquer'));
  const all = ['Débloquer les 3 autres contenus : 25 000 XAF, 30 jours ENAM'];
  t.same(await unlock(), all, 'a payment opens the whole prepa');
  t.same(await unlock(url), all, 'also on a page that was rendered before the other discipline got its items');
  await sql(home.databaseUrl, 'delete from item where numero_page = 2 and discipline_id <> $1', [alone.id]);
  t.same(await unlock(), ["Débloquer l'autre contenu : 25 000 XAF, 30 jours ENAM"]);
  await sql(home.databaseUrl, 'delete from item where discipline_id = $1 and numero_page = 2', [alone.id]);
  t.same(await unlock(), [], 'the link to unlock is not shown when no item is locked');
});

t.test('a link to a locked item redirects to a free one, with the reason', async (t) => {
  const { locked, secret, url } = await openTrial();
  for (const query of [`?type=course&item=${locked.id}`, `?type=exercise&item=${secret.id}`]) {
    const answer = await visit(app, url + query);
    t.equal(answer.statusCode, 303);
    t.equal(answer.headers.location, url);
    const flash = answer.cookies.find(({ name }) => name === 'flash')?.value;
    t.same((await page(url, `flash=${flash}`)).texts('.toast'), ['Ce contenu est réservé aux candidats inscrits à cette préparation.']);
  }
});

t.test('an address of a missing item or discipline', async (t) => {
  const { prepa, lesson, url } = await openTrial();
  const other = await openTrial();
  const status = async (path: string) => {
    const { answer, texts } = await page(path);
    return [answer.statusCode, texts('main .lead')[0]];
  };
  t.same(await status(`${url}?type=video&item=1`), [400, 'Type de contenu non reconnu']);
  t.same(await status(`${url}?type=course&item=2000000000`), [404, "Ce contenu n'existe pas ou n'existe plus."]);
  const moved = await visit(app, `${url}?type=course&item=${other.lesson.id}`);
  t.match([moved.statusCode, moved.headers.location], [303, `${other.url}?type=course&item=${other.lesson.id}`], 'where the item is');
  t.same(await status(`${url}?type=exercise&item=${lesson.id}`), [404, "Ce contenu n'existe pas ou n'existe plus."]);
  t.same(await status(`/user/prepa/consultation/${prepa.id}/${other.discipline.id}`), [
    404,
    "Cette discipline n'existe pas ou n'est plus disponible.",
  ]);
});

t.test('an unpublished prepa has no trial', async (t) => {
  const prepa = await createPrepa(home, { isPublished: false });
  const discipline = await createDiscipline(home, prepa.id);
  const lesson = await createItem(home, discipline.id);
  for (const query of ['', `?type=course&item=${lesson.id}`]) {
    t.equal((await page(`/user/prepa/consultation/${prepa.id}/${discipline.id}${query}`)).answer.statusCode, 404);
  }
});

t.test('an enrolled learner is redirected to the same item of the full discipline', async (t) => {
  const { prepa, discipline, locked, url } = await openTrial();
  const learner = await createLearner(home);
  await createEnrolment(home, learner, prepa);
  const answer = await visit(app, `${url}?type=course&item=${locked.id}`, learner.session);
  t.equal(answer.statusCode, 303);
  t.equal(answer.headers.location, `/user/prepa/${prepa.id}/${discipline.id}?type=course&item=${locked.id}`);
});

t.test('an ended access: every page of the trial says when it ended', async (t) => {
  const { prepa, url } = await openTrial();
  const learner = await createLearner(home);
  await createEnrolment(home, learner, prepa, -1);
  for (let reading = 0; reading < 2; reading += 1) {
    t.match((await page(url, learner.session)).texts('.banner__reason'), [/^Votre accès a pris fin le \d/]);
  }
  t.same((await page(url)).texts('.banner__reason'), [], 'a visitor sees no reason for an ended access');
});

t.test('an empty discipline', async (t) => {
  const { id, prepaId } = await createDiscipline(home);
  const { answer, main } = await page(`/user/prepa/consultation/${prepaId}/${id}`);
  t.equal(answer.statusCode, 200);
  t.match(main, 'Sélectionnez un contenu pour commencer');
});
