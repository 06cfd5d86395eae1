import { parseHTML } from 'linkedom';
import t from 'tap';
import { createTestApp, visit } from '../../../test/support/app.ts';
import { createDiscipline, createEnrolment, createLearner, createPrepa } from '../../../test/support/factories.ts';
import { sql } from '../../../test/support/sql.ts';

const home = await createTestApp(t);
const { app, clock, databaseUrl } = home;

const squeeze = (text: string | null | undefined) => (text ?? '').replaceAll(/\s+/g, ' ').trim();

async function page(url: string, session?: string) {
  const answer = await visit(app, url, session);
  const { document } = parseHTML(answer.body);
  return {
    answer,
    document,
    main: squeeze(document.querySelector('main')?.textContent),
    links: [...document.querySelectorAll('main a')].map((link) => [squeeze(link.textContent), link.getAttribute('href')]),
    reasons: [...document.querySelectorAll('.toast, .banner__reason')].map((toast) => squeeze(toast.textContent)),
  };
}

/** Follows a refusal to the page that it leads to, where its reason is shown. */
async function refusal(url: string, session: string) {
  const answer = await visit(app, url, session);
  const flash = answer.cookies.find(({ name }) => name === 'flash')?.value;
  const location = String(answer.headers.location);
  return { status: answer.statusCode, location, reasons: (await page(location, `${session}; flash=${flash}`)).reasons };
}

t.test('the disciplines of a prepa, for whoever is enrolled', async (t) => {
  const learner = await createLearner(home);
  const prepa = await createPrepa(home, { nom: 'ENS & co' });
  const disciplines = [await createDiscipline(home, prepa.id), await createDiscipline(home, prepa.id)];
  await createEnrolment(home, learner, prepa);
  const { answer, document, links } = await page(`/user/prepa/${prepa.id}`, learner.session);
  t.equal(answer.statusCode, 200);
  t.equal(document.querySelector('h1')?.textContent, 'ENS & co');
  t.match(document.title, 'ENS & co');
  t.same(links, [
    ['Retour au tableau de bord', '/user/dashboard'],
    ...disciplines.map(({ id, nom }) => [nom, `/user/prepa/${prepa.id}/${id}`]),
  ]);
  t.notMatch(answer.body, 'Accès limité');

  const returned = await visit(app, `/user/prepaview/${prepa.id}`, learner.session);
  t.equal(returned.statusCode, 303);
  t.equal(returned.headers.location, `/user/prepa/${prepa.id}`);
});

t.test('nothing in it yet', async (t) => {
  const learner = await createLearner(home);
  const prepa = await createPrepa(home);
  await createEnrolment(home, learner, prepa);
  t.match((await page(`/user/prepa/${prepa.id}`, learner.session)).main, 'Aucune discipline disponible pour cette préparation.');
  t.match((await page(`/user/prepa/consultation/${prepa.id}`)).main, 'Aucune discipline disponible pour cette préparation.');
});

t.test('not enrolled, ended, marked as ended, cancelled: the trial, with the reason', async (t) => {
  const prepa = await createPrepa(home);
  const cases: [Parameters<typeof createEnrolment>[4], number, RegExp][] = [
    ['active', -1, /^Votre accès a pris fin le \d{1,2}(er)? \S+ \d{4}/],
    ['expired', -1, /^Votre accès a pris fin le/],
    ['expired', 3, /^Votre accès à cette préparation est terminé/],
    ['cancelled', 3, /^Votre inscription à cette préparation a été annulée/],
  ];
  for (const url of [`/user/prepa/${prepa.id}`, `/user/prepaview/${prepa.id}`]) {
    const stranger = await createLearner(home);
    const trial = { status: 303, location: `/user/prepa/consultation/${prepa.id}` };
    t.match(await refusal(url, stranger.session), { ...trial, reasons: [/^Vous n'êtes pas encore inscrit à cette préparation/] });
    for (const [statut, days, reason] of cases) {
      const learner = await createLearner(home);
      await createEnrolment(home, learner, prepa, days, statut);
      t.match(await refusal(url, learner.session), { ...trial, reasons: [reason] }, `${statut}, ${days} days`);
    }
  }
});

t.test('access ends by the clock, not by the nightly run', async (t) => {
  const learner = await createLearner(home);
  const prepa = await createPrepa(home);
  await createEnrolment(home, learner, prepa, 2);
  clock.advance(2 * 24 * 3_600_000 - 1);
  t.equal((await visit(app, `/user/prepa/${prepa.id}`, learner.session)).statusCode, 200);
  clock.advance(1);
  t.equal((await visit(app, `/user/prepa/${prepa.id}`, learner.session)).statusCode, 303);
  t.match(await sql(databaseUrl, 'select statut from enrolment where user_id = $1', [learner.id]), [{ statut: 'active' }]);
});

t.test('unpublished: hidden from the trial, open to whoever is enrolled', async (t) => {
  const learner = await createLearner(home);
  const prepa = await createPrepa(home, { isPublished: false });
  await createEnrolment(home, learner, prepa);
  t.equal((await visit(app, `/user/prepa/${prepa.id}`, learner.session)).statusCode, 200);
  const trial = `/user/prepa/consultation/${prepa.id}`;
  t.equal((await visit(app, trial, learner.session)).headers.location, `/user/prepa/${prepa.id}`, 'enrolled: on to the whole of it');
  for (const session of [undefined, (await createLearner(home)).session]) {
    const hidden = await page(trial, session);
    t.equal(hidden.answer.statusCode, 404);
    t.match(hidden.main, "Cette préparation n'existe pas ou n'est plus disponible.");
  }
});

t.test('the trial: for visitors too, with its banner and a way to enrol that comes back', async (t) => {
  const prepa = await createPrepa(home, { nom: 'Polytechnique' });
  const discipline = await createDiscipline(home, prepa.id);
  const url = `/user/prepa/consultation/${prepa.id}`;
  const visitor = await page(url);
  t.equal(visitor.answer.statusCode, 200);
  t.match(visitor.main, 'Accès limité');
  t.match(visitor.main, "Vous consultez une version d'essai. Pour accéder à tout le contenu, veuillez vous inscrire à cette préparation.");
  const enrolment = `/?inscription=1&suite=${encodeURIComponent(`/user/dashboard?paiement=${prepa.id}`)}`;
  t.same(visitor.links, [
    ["Retour à l'accueil", '/'],
    ["S'inscrire Polytechnique", enrolment],
    ["S'inscrire maintenant Polytechnique", enrolment],
    [discipline.nom, `${url}/${discipline.id}`],
  ]);

  const learner = await page(url, (await createLearner(home)).session);
  t.same(learner.links.slice(0, 3), [
    ['Retour au tableau de bord', '/user/dashboard'],
    ["S'inscrire Polytechnique", `/user/dashboard?paiement=${prepa.id}`],
    ["S'inscrire maintenant Polytechnique", `/user/dashboard?paiement=${prepa.id}`],
  ]);
});

t.test('an unknown prepa, a bad id', async (t) => {
  const { session } = await createLearner(home);
  t.equal((await visit(app, '/user/prepa/consultation/2000000000')).statusCode, 404);
  t.equal((await visit(app, '/user/prepa/consultation/abc')).statusCode, 404);
  const unknown = await visit(app, '/user/prepa/2000000000', session);
  t.equal(unknown.statusCode, 303);
  t.equal((await visit(app, String(unknown.headers.location), session)).statusCode, 404);
});
