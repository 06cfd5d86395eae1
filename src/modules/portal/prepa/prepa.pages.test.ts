import { parseHTML } from 'linkedom';
import t from 'tap';
import { createTestApp, squeeze, submit, visit } from '../../../../test/support/app.ts';
import {
  createDiscipline,
  createEnrolment,
  createItem,
  createLearner,
  createPayment,
  createPrepa,
} from '../../../../test/support/factories.ts';
import { sql } from '../../../../test/support/sql.ts';
import { formatDate } from '../../../shared/dates.ts';

const home = await createTestApp(t);
const { app, clock, databaseUrl } = home;

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

/** Follows a refusal's redirect. Returns the target page, and the reason shown there. */
async function refusal(url: string, session: string) {
  const answer = await visit(app, url, session);
  const flash = answer.cookies.find(({ name }) => name === 'flash')?.value;
  const location = String(answer.headers.location);
  return { status: answer.statusCode, location, reasons: (await page(location, `${session}; flash=${flash}`)).reasons };
}

t.test('the disciplines of a prepa, for enrolled learners', async (t) => {
  const learner = await createLearner(home);
  const prepa = await createPrepa(home, { nom: 'ENS & co' });
  const disciplines = [await createDiscipline(home, prepa.id), await createDiscipline(home, prepa.id)];
  await createEnrolment(home, learner, prepa);
  const { answer, document, links } = await page(`/user/prepa/${prepa.id}`, learner.session);
  t.equal(answer.statusCode, 200);
  t.equal(document.querySelector('h1')?.textContent, 'ENS & co');
  t.match(document.title, 'ENS & co');
  const cards = disciplines.map(({ id, nom }) => [nom, `/user/prepa/${prepa.id}/${id}`]);
  t.same(links, [
    ['Retour à mon espace', '/user/dashboard'],
    ['Garder hors ligne', `/user/prepa/${prepa.id}/hors-ligne`],
    ['Mes préparations en cours', `/user/prepaview/${prepa.id}`],
    ...cards,
  ]);
  t.notMatch(answer.body, 'Accès limité');
});

t.test('the enrolled prepas and the disciplines of the selected one', async (t) => {
  const learner = await createLearner(home);
  const [short, long, ended] = [
    await createPrepa(home, { nom: 'Courte' }),
    await createPrepa(home, { nom: 'Longue' }),
    await createPrepa(home),
  ];
  const discipline = await createDiscipline(home, short.id);
  await createEnrolment(home, learner, short, 1);
  await createEnrolment(home, learner, long, 20);
  await createEnrolment(home, learner, ended, -1);
  const first = await visit(app, '/user/prepaview', learner.session);
  t.equal(first.statusCode, 303);
  t.equal(first.headers.location, `/user/prepaview/${long.id}`, 'the page of the enrolment with the latest end is selected');

  const { answer, document, main, links } = await page(`/user/prepaview/${short.id}`, learner.session);
  t.equal(answer.statusCode, 200);
  t.equal(document.querySelector('h1')?.textContent, 'Mes préparations en cours');
  t.equal(document.querySelector('#disciplines')?.textContent, 'Disciplines : Courte');
  t.match(main, 'Préparations en cours');
  const active = [
    ['Longue20 jours restants', `/user/prepaview/${long.id}`],
    ['Courte1 jour restant', `/user/prepaview/${short.id}`],
  ];
  t.same(links, [
    ['Retour à mon espace', '/user/dashboard'],
    ['Préparations en cours', '#preparations-en-cours'],
    ...active,
    ['Continuer Courte', `/user/prepa/${short.id}`],
    [discipline.nom, `/user/prepa/${short.id}/${discipline.id}`],
  ]);
  t.ok(document.querySelector('.actions .button--secondary'), 'a single action has a border, aligned with the titles');
  t.equal(squeeze(document.querySelector('main [aria-current="page"]')?.textContent), 'Courte1 jour restant');
  t.match((await page(`/user/prepaview/${long.id}`, learner.session)).main, 'Aucune discipline disponible pour cette préparation.');

  const stranger = await page('/user/prepaview', (await createLearner(home)).session);
  t.equal(stranger.answer.statusCode, 200);
  t.match(stranger.main, 'Aucune préparation active.');
  t.match(stranger.main, 'Si un accès a pris fin, renouvelez-le depuis votre espace.');
  t.same(stranger.links.slice(-2), [
    ['Mon espace', '/user/dashboard'],
    ['Voir les préparations', '/user/preparations'],
  ]);
  for (const id of ['abc', '0']) t.equal((await visit(app, `/user/prepaview/${id}`, learner.session)).statusCode, 404, id);
});

t.test('on the first day of an access, the date of the concours is asked for until it is set', async (t) => {
  const [prepa, earlier] = [await createPrepa(home), await createPrepa(home)];
  const learner = await createLearner(home);
  await createEnrolment(home, learner, prepa, 30);
  await createEnrolment(home, learner, earlier, 28);
  const question = 'Quand est votre concours ?';
  const asks = async (id: number) => [
    (await page(`/user/prepaview/${id}`, learner.session)).main.includes(question),
    (await page(`/user/prepa/${id}`, learner.session)).main.includes(question),
  ];
  t.same(await asks(prepa.id), [true, true]);
  t.same(await asks(earlier.id), [false, false], 'not after the first day');
  await submit(app, `/user/concours/${prepa.id}`, { choix: 'none' }, learner.session);
  t.same(await asks(prepa.id), [false, false], 'nor once it is answered');
});

t.test('enrolments or disciplines that cannot be read are replaced by an error message', async (t) => {
  const learner = await createLearner(home);
  const prepa = await createPrepa(home, { nom: 'Toujours là' });
  await createEnrolment(home, learner, prepa);
  const without = async (table: string, url: string) => {
    await sql(databaseUrl, `alter table ${table} rename to ${table}_away`);
    const answer = await page(url, learner.session);
    await sql(databaseUrl, `alter table ${table}_away rename to ${table}`);
    t.equal(answer.answer.statusCode, 200);
    return answer;
  };
  for (const url of [`/user/prepaview/${prepa.id}`, `/user/prepa/${prepa.id}`]) {
    const { main, reasons } = await without('discipline', url);
    t.match(main, 'Toujours là');
    t.match(main, 'Impossible de charger les disciplines. Veuillez réessayer plus tard. Réessayer');
    t.same(reasons, ['Erreur lors du chargement des disciplines']);
  }
  const { main, reasons } = await without('enrolment', `/user/prepaview/${prepa.id}`);
  t.match(main, 'Impossible de charger vos préparations. Veuillez réessayer plus tard. Réessayer');
  t.same(reasons, ['Erreur lors du chargement de vos préparations']);
});

t.test('progress, and the item to continue with', async (t) => {
  const learner = await createLearner(home);
  const [prepa, other] = [await createPrepa(home, { nom: 'ENS' }), await createPrepa(home)];
  const [discipline, untouched] = [await createDiscipline(home, prepa.id), await createDiscipline(home, prepa.id)];
  const first = await createItem(home, discipline.id);
  const second = await createItem(home, discipline.id, { numeroPage: 2 });
  await createItem(home, untouched.id);
  for (const bought of [prepa, other]) await createEnrolment(home, learner, bought);
  const progress = async (url: string) => {
    const { document, links } = await page(url, learner.session);
    const counts = [...document.querySelectorAll('.reading__count')].map(({ textContent }) => textContent);
    return { counts, resume: links.filter(([text]) => /^(Reprendre|Commencer par)/.test(text ?? '')) };
  };
  const lastRead = `/user/prepa/${prepa.id}/${discipline.id}?type=course&item=${first.id}`;
  t.same(await progress('/user/dashboard'), {
    counts: ['0 sur 3 terminés', '0 sur 3 terminés'],
    resume: [[`Commencer par : ${first.titre} (1 min)`, lastRead]],
  });
  t.same((await progress(`/user/prepa/${prepa.id}`)).resume, [[`Commencer par : ${first.titre}`, lastRead]]);
  await sql(databaseUrl, 'insert into item_reading (user_id, item_id, read_at) values ($1, $2, $3)', [learner.id, first.id, clock.now()]);
  t.same(await progress('/user/dashboard'), {
    counts: ['0 sur 3 terminés', '0 sur 3 terminés'],
    resume: [[`Reprendre : ${first.titre} (1 min)`, lastRead]],
  });
  await sql(databaseUrl, 'update item_reading set finished_at = read_at where user_id = $1', [learner.id]);
  const counts = ['1 sur 2 terminés', '0 sur 1 terminé'];
  const next = `/user/prepa/${prepa.id}/${discipline.id}?type=course&item=${second.id}`;
  t.same(await progress(`/user/prepa/${prepa.id}`), { counts: ['1 sur 3 terminés', ...counts], resume: [['Reprendre ENS', next]] });
  t.same(await progress(`/user/prepaview/${prepa.id}`), { counts, resume: [['Reprendre ENS', next]] });
  t.same(await progress(`/user/prepaview/${other.id}`), { counts: [], resume: [] });
  const rings = async (url: string) => {
    const { document } = await page(url, learner.session);
    return [...document.querySelectorAll('.row:has(.ring)')].map((row) => ({
      text: squeeze(row.querySelector('.ring')?.textContent),
      arc: row.querySelector('.ring__done')?.getAttribute('stroke-dasharray') ?? null,
      name: squeeze(row.querySelector('.row__body')?.textContent),
    }));
  };
  const rows = [
    { text: '50 %', arc: '50 100', name: `${discipline.nom} Une discipline. 1 sur 2 terminés` },
    { text: '0 %', arc: null, name: `${untouched.nom} Une discipline. 0 sur 1 terminé` },
  ];
  t.same(await rings(`/user/prepa/${prepa.id}`), rows, 'each discipline is a row with a ring, and its numbers as text');
  const prepaRow = { text: '33 %', arc: '33.3 100', name: 'ENS30 jours restants, 1 sur 3 terminés' };
  t.same(await rings(`/user/prepaview/${prepa.id}`), [prepaRow, ...rows]);
  t.same(await rings('/user/dashboard'), [{ ...prepaRow, name: 'ENS Active 30 jours restants 1 sur 3 terminés' }]);

  const again = async (url: string) =>
    squeeze((await page(url, learner.session)).document.querySelector('.bar a[href="/user/a-revoir"]')?.textContent);
  t.equal(await again('/user/dashboard'), 'À revoir');
  const mark = `insert into practice (user_id, item_id, verdict, marked_at) values ($1, $2, 'a_revoir', $3)`;
  const exercise = await createItem(home, discipline.id, { kind: 'exercise', corrige: '<p>Corrigé.</p>' });
  await sql(databaseUrl, mark, [learner.id, exercise.id, clock.now()]);
  for (const url of ['/user/dashboard', `/user/prepa/${prepa.id}`]) t.equal(await again(url), 'À revoir 1', url);
});

t.test('a search within the prepa, in its trial too', async (t) => {
  const learner = await createLearner(home);
  const prepa = await createPrepa(home);
  await createDiscipline(home, prepa.id);
  const asked = async (url: string, session?: string) => {
    const form = (await page(url, session)).document.querySelector('form[role="search"]');
    return [form?.getAttribute('action'), form?.querySelector('[name="prepa"]')?.getAttribute('value')];
  };
  t.same(await asked(`/user/prepa/consultation/${prepa.id}`), ['/user/recherche', String(prepa.id)]);
  await createEnrolment(home, learner, prepa);
  t.same(await asked(`/user/prepa/${prepa.id}`, learner.session), ['/user/recherche', String(prepa.id)]);
});

t.test('a prepa without disciplines shows a message', async (t) => {
  const learner = await createLearner(home);
  const prepa = await createPrepa(home);
  await createEnrolment(home, learner, prepa);
  t.match((await page(`/user/prepa/${prepa.id}`, learner.session)).main, 'Aucune discipline disponible pour cette préparation.');
  t.match((await page(`/user/prepa/consultation/${prepa.id}`)).main, 'Aucune discipline disponible pour cette préparation.');
});

t.test('not enrolled, ended, marked as ended, cancelled: redirect to the trial, with the reason', async (t) => {
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

t.test('unpublished: no trial, but open to enrolled learners', async (t) => {
  const learner = await createLearner(home);
  const prepa = await createPrepa(home, { isPublished: false });
  await createEnrolment(home, learner, prepa);
  t.equal((await visit(app, `/user/prepa/${prepa.id}`, learner.session)).statusCode, 200);
  const trial = `/user/prepa/consultation/${prepa.id}`;
  t.equal((await visit(app, trial, learner.session)).headers.location, `/user/prepa/${prepa.id}`, 'enrolled: redirect to the full prepa');
  for (const session of [undefined, (await createLearner(home)).session]) {
    const hidden = await page(trial, session);
    t.equal(hidden.answer.statusCode, 404);
    t.match(hidden.main, "Cette préparation n'existe pas ou n'est plus disponible.");
  }
});

t.test('the trial: also for visitors, with its banner and a link to enrol that returns here', async (t) => {
  const prepa = await createPrepa(home, { nom: 'Polytechnique' });
  const discipline = await createDiscipline(home, prepa.id);
  for (const numeroPage of [1, 2]) await createItem(home, discipline.id, { numeroPage });
  await createItem(home, discipline.id, { kind: 'exercise' });
  const url = `/user/prepa/consultation/${prepa.id}`;
  const visitor = await page(url);
  t.equal(visitor.answer.statusCode, 200);
  t.match(visitor.main, 'Accès limité');
  t.match(visitor.main, "Vous consultez une version d'essai. Pour accéder à tout le contenu, veuillez vous inscrire à cette préparation.");
  t.match(
    visitor.main,
    `Avec l'inscription : 2 leçons, 1 exercice. Dernière mise à jour le ${formatDate(clock.now())}. 15 000 XAF pour 30 jours`,
  );
  const enrolment = `/?inscription=1&suite=${encodeURIComponent(`/user/dashboard?paiement=${prepa.id}`)}`;
  t.same(visitor.links, [
    ["Retour à l'accueil", '/'],
    ["S'inscrire Polytechnique", enrolment],
    ["S'inscrire maintenant Polytechnique", enrolment],
    [discipline.nom, `${url}/${discipline.id}`],
  ]);

  const learner = await page(url, (await createLearner(home)).session);
  t.same(learner.links.slice(0, 3), [
    ['Retour à mon espace', '/user/dashboard'],
    ["S'inscrire Polytechnique", `/user/dashboard?paiement=${prepa.id}`],
    ["S'inscrire maintenant Polytechnique", `/user/dashboard?paiement=${prepa.id}`],
  ]);
});

t.test('the trial with an open payment: the dialog shows it before a new one begins', async (t) => {
  const [prepa, learner] = [await createPrepa(home), await createLearner(home)];
  const discipline = await createDiscipline(home, prepa.id);
  await createItem(home, discipline.id);
  const url = `/user/prepa/consultation/${prepa.id}`;
  const attempts = async (path: string, { session } = learner) => {
    const island = (await page(path, session)).document.querySelector('[data-island="payment"]');
    return JSON.parse(island?.getAttribute('data-props') ?? '{}').attempts;
  };
  for (const path of [url, `${url}/${discipline.id}`]) t.same(await attempts(path), {}, path);
  const { reference } = await createPayment(home, learner, prepa, 'pending');
  for (const path of [url, `${url}/${discipline.id}`]) {
    t.match(await attempts(path), { [prepa.id]: { reference, montant: '15 000 XAF' } }, path);
    t.same(await attempts(path, await createLearner(home)), {}, `another learner at ${path} sees no open payment`);
  }
});

t.test('an unknown or unpublished prepa and an invalid id are a 404', async (t) => {
  const { session } = await createLearner(home);
  t.equal((await visit(app, '/user/prepa/consultation/2000000000')).statusCode, 404);
  t.equal((await visit(app, '/user/prepa/consultation/abc')).statusCode, 404);
  const hidden = await createPrepa(home, { isPublished: false });
  for (const path of [
    'prepa/2000000000',
    'prepaview/2000000000',
    `prepa/${hidden.id}`,
    `prepa/${hidden.id}/${(await createDiscipline(home, hidden.id)).id}`,
  ]) {
    const { status, location, reasons } = await refusal(`/user/${path}`, session);
    t.same([status, reasons], [303, []], `${path}: the redirect has no message, because its target explains the reason`);
    t.equal((await visit(app, location, session)).statusCode, 404, path);
  }
});
