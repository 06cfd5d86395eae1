// Alone: sizes of prepas are cached by id in the process, and other files have the same ids.
import { parseHTML } from 'linkedom';
import t from 'tap';
import { createTestApp, squeeze, visit } from '../../../../test/support/app.ts';
import {
  createDiscipline,
  createEnrolment,
  createItem,
  createLearner,
  createPayment,
  createPrepa,
} from '../../../../test/support/factories.ts';
import { sql } from '../../../../test/support/sql.ts';

const home = await createTestApp(t);
const { app } = home;

async function page(url: string, session?: string) {
  const answer = await visit(app, url, session);
  const { document } = parseHTML(answer.body);
  return {
    answer,
    document,
    heading: squeeze(document.querySelector('h1')?.textContent),
    main: squeeze(document.querySelector('main')?.textContent),
    links: [...document.querySelectorAll('main :not(noscript *):is(a)')].map((link) => link.getAttribute('href')),
    toasts: [...document.querySelectorAll('.toast')].map((toast) => [toast.className, squeeze(toast.textContent)]),
  };
}

async function learnerWith(status: Parameters<typeof createPayment>[3] | null, enrolled = false) {
  const learner = await createLearner(home);
  const prepa = await createPrepa(home, { nom: 'ENS & "Sciences"' });
  if (status) await createPayment(home, learner, prepa, status);
  if (enrolled) await createEnrolment(home, learner, prepa);
  return { learner, prepa, url: `/user/dashboard/success/${prepa.id}` };
}

t.test('a verified payment: confirmation, and a link to continue', async (t) => {
  const { learner, prepa, url } = await learnerWith('succeeded', true);
  const discipline = await createDiscipline(home, prepa.id);
  const item = await createItem(home, discipline.id);
  const { answer, heading, main, links, toasts } = await page(url, learner.session);
  t.equal(answer.statusCode, 200);
  t.equal(heading, 'Paiement réussi !');
  t.match(main, 'a été enregistrée');
  t.match(main, 'tableau de bord');
  const first = `/user/prepa/${prepa.id}/${discipline.id}?type=course&item=${item.id}`;
  t.same(links, [first, `/user/prepa/${prepa.id}`, '/user/dashboard', `/user/prepa/${prepa.id}/hors-ligne`]);
  t.same(toasts, [['toast toast--success', 'Félicitations ! Vous avez accès à "ENS & "Sciences""']]);
});

t.test('the link for keeping names the size of the keeping page, once it is known', async (t) => {
  const { learner, prepa, url } = await learnerWith(null, true);
  await createItem(home, (await createDiscipline(home, prepa.id)).id, { contenu: `<p>${'Un long texte. '.repeat(500)}</p>` });
  const offered = async () => {
    const { document } = await page(url, learner.session);
    return squeeze(document.querySelector('main a[href$="/hors-ligne"]')?.textContent);
  };
  t.equal(await offered(), 'Garder hors ligne', 'the page does not wait for the size');
  const { document } = await page(`/user/prepa/${prepa.id}/hors-ligne`, learner.session);
  const total = squeeze(document.querySelector('[data-weight="total"]')?.textContent);
  t.match(total, /^\d+ Ko$/);
  t.equal(await offered(), `Garder hors ligne (${total})`);
});

t.test('an active enrolment without a payment counts too', async (t) => {
  const { learner, url } = await learnerWith(null, true);
  t.equal((await page(url, learner.session)).heading, 'Paiement réussi !');
});

t.test('not verified yet: no promise, and the page reloads itself, also without script', async (t) => {
  for (const status of ['created', 'pending', 'review'] as const) {
    const { learner, url } = await learnerWith(status);
    const { answer, document, heading, toasts } = await page(url, learner.session);
    t.equal(answer.statusCode, 200);
    t.equal(heading, 'Paiement en cours de vérification', status);
    t.notMatch(answer.body, /Félicitations|Paiement réussi/, status);
    t.same(toasts, []);
    t.match(answer.body, /<meta http-equiv="refresh" content="\d+">/);
    t.match(document.querySelector('[data-behaviour="refresh"]')?.getAttribute('data-seconds'), /^\d+$/);
  }
});

t.test('a renewal being checked is not called a success while the old days are running', async (t) => {
  const { learner, url } = await learnerWith('pending', true);
  t.equal((await page(url, learner.session)).heading, 'Paiement en cours de vérification');
});

t.test('a renewal being checked: the access stays open, and days will be added', async (t) => {
  const { learner, prepa, url } = await learnerWith('pending', true);
  const { main, links } = await page(url, learner.session);
  t.match(main, /Vous avez déjà accès à cette préparation jusqu'au \d.*; confirmé, ce paiement ajoute 30 jours, jusqu'au \d/);
  t.notMatch(main, "l'accès s'ouvrira");
  t.ok(links.includes(`/user/prepa/${prepa.id}`), 'the page has a link to continue');
  const first = await learnerWith('pending');
  const waits = await page(first.url, first.learner.session);
  t.match(waits.main, "l'accès s'ouvrira dès la confirmation");
  t.notOk(waits.links.includes(`/user/prepa/${first.prepa.id}`));
});

t.test('cancelled: the page shows an open access and an open payment', async (t) => {
  const cancelled = async (status: Parameters<typeof learnerWith>[0], enrolled: boolean) => {
    const { learner, prepa } = await learnerWith(status, enrolled);
    return { prepa, ...(await page(`/user/dashboard/cancel?prepa_id=${prepa.id}`, learner.session)) };
  };
  const open = await cancelled('cancelled', true);
  t.match(open.main, /Vous avez déjà accès à cette préparation jusqu'au \d/);
  t.same(open.links.sort(), ['/user/dashboard', `/user/prepa/${open.prepa.id}`]);
  t.notMatch(open.main, 'reste ouvert');
  const left = await cancelled('pending', false);
  t.match(left.main, 'Ce paiement reste ouvert : vous le retrouverez dans votre espace.');
  t.same(left.links, [`/user/dashboard?paiement=${left.prepa.id}`, '/user/dashboard', `/user/prepa/consultation/${left.prepa.id}`]);
  t.notMatch(left.main, 'déjà accès');
});

t.test('no payment, or a cancelled one: redirect to the dashboard with the reason', async (t) => {
  for (const [status, kind, reason] of [
    [null, 'info', "Aucun paiement n'est en cours pour cette préparation."],
    ['cancelled', 'error', 'Paiement échoué ou annulé'],
  ] as const) {
    const { learner, url } = await learnerWith(status);
    const answer = await visit(app, url, learner.session);
    t.equal(answer.statusCode, 303);
    t.equal(answer.headers.location, '/user/dashboard');
    const flash = answer.cookies.find(({ name }) => name === 'flash')?.value;
    t.same((await page('/user/dashboard', `${learner.session}; flash=${flash}`)).toasts, [[`toast toast--${kind}`, reason]]);
  }
});

t.test('refused: the reason if the provider tells it, else what usually helps, and another try', async (t) => {
  const refused = async (refusal: string | null, enrolled = false) => {
    const { learner, prepa, url } = await learnerWith('failed', enrolled);
    await sql(home.databaseUrl, 'update payment set refusal = $2 where prepa_id = $1', [prepa.id, refusal]);
    const answer = await visit(app, url, learner.session);
    t.equal(answer.headers.location, `/user/dashboard/cancel?prepa_id=${prepa.id}`);
    return { prepa, ...(await page(answer.headers.location ?? '', learner.session)) };
  };
  const funds = await refused('funds');
  t.equal(funds.heading, 'Paiement échoué ou annulé');
  t.match(funds.main, 'Le solde de votre compte ne suffisait pas.');
  t.match(funds.main, 'choisissez un autre moyen de paiement');
  const again = `/user/dashboard?paiement=${funds.prepa.id}&reessayer=1`;
  t.same(funds.links, ['/user/paiements', again, '/user/dashboard', `/user/prepa/consultation/${funds.prepa.id}`]);
  t.notMatch(funds.answer.body, 'http-equiv="refresh"', 'the page stays');
  t.same(funds.toasts, []);
  t.match((await refused(null)).main, 'Vérifiez le solde (frais compris), le code et le plafond de votre compte, puis réessayez');
  const renewal = await refused('limit', true);
  t.match(renewal.main, /Le plafond de votre compte est atteint\..*Vous avez déjà accès à cette préparation jusqu'au \d/);
  t.ok(renewal.links.includes(`/user/prepa/${renewal.prepa.id}`));
  t.ok(renewal.links.includes(`/user/dashboard?paiement=${renewal.prepa.id}&reessayer=1`));
});

t.test("another learner's payment confirms nothing", async (t) => {
  const { url } = await learnerWith('succeeded', true);
  const other = await createLearner(home);
  t.equal((await visit(app, url, other.session)).statusCode, 303);
});

t.test('cancelled: the prepa, a countdown that can be stopped, and further links', async (t) => {
  const learner = await createLearner(home);
  const { heading, main, links, toasts, document } = await page('/user/dashboard/cancel?prepa_id=7', learner.session);
  t.equal(heading, 'Paiement annulé');
  t.match(main, /n° 7\b/);
  t.match(main, 'réessayer');
  t.same(links, ['/user/dashboard?paiement=7', '/user/dashboard', '/user/prepa/consultation/7']);
  t.same(toasts, [['toast toast--info', 'Paiement annulé. Vous allez être redirigé vers votre tableau de bord.']]);
  const countdown = document.querySelector('[data-behaviour="countdown"]');
  t.match(
    { seconds: countdown?.getAttribute('data-seconds'), href: countdown?.getAttribute('data-href') },
    { seconds: '5', href: '/user/dashboard' },
  );
  t.ok(countdown?.querySelector('button[data-countdown-stop]'));
});

t.test('cancelled, without script: the page redirects after 5 seconds, unless a link stops it', async (t) => {
  const learner = await createLearner(home);
  const plain = async (url: string) => {
    const { body } = await visit(app, url, learner.session);
    const { document } = parseHTML(body.replaceAll(/<\/?noscript>/g, ''));
    return {
      refresh: document.querySelector('meta[http-equiv="refresh"]')?.getAttribute('content'),
      stay: document.querySelector('a[href*="rester"]')?.getAttribute('href'),
      text: squeeze(document.querySelector('body')?.textContent),
    };
  };
  for (const [query, stay] of [
    ['?prepa_id=7', '?prepa_id=7&rester=1'],
    ['', '?rester=1'],
  ] as const) {
    const leads = await plain(`/user/dashboard/cancel${query}`);
    t.match(leads, { refresh: '5;url=/user/dashboard', stay: `/user/dashboard/cancel${stay}`, text: /dans 5 s/ });
    const stays = await plain(leads.stay ?? '');
    t.equal(stays.refresh, undefined);
    t.match(stays.text, 'Paiement annulé');
    t.notMatch(stays.text, /redirigé|Redirection|dans 5 s/, 'no redirection is announced');
  }
  t.equal((await plain('/user/dashboard/cancel?rester=x')).refresh, '5;url=/user/dashboard');
});

t.test('cancelled, of an unknown payment: no id line, no trial button', async (t) => {
  const learner = await createLearner(home);
  for (const query of ['', '?prepa_id=x', '?prepa_id=%3Cscript%3E']) {
    const { answer, main, links } = await page(`/user/dashboard/cancel${query}`, learner.session);
    t.equal(answer.statusCode, 200);
    t.notMatch(main, 'n°', query);
    t.same(links, ['/user/dashboard'], query);
  }
});

t.test('both pages are for learners, and are not indexed by search engines', async (t) => {
  const { learner, url } = await learnerWith('succeeded', true);
  for (const path of [url, '/user/dashboard/cancel']) {
    const visitor = await visit(app, path);
    t.equal(visitor.statusCode, 303);
    t.equal(visitor.headers.location, `/?connexion=1&suite=${encodeURIComponent(path)}`);
    t.match((await visit(app, path, learner.session)).body, '<meta name="robots" content="noindex">');
  }
});
