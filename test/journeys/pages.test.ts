import type { Page, Response } from 'playwright-core';
import t from 'tap';
import { newPage } from '../support/browser.ts';
import { createDiscipline, createEnrolment, createLearner, createPrepa } from '../support/factories.ts';
import { islandIs, openSite, presentSession, registerAccount, toast } from '../support/journey.ts';
import { at, freeze, lookAt, post } from '../support/look.ts';
import { assertStill } from '../support/page-checks.ts';

// The look of all pages except those of payments.

const site = await openSite(t, {}, { demo: true });
const look = lookAt(t, site);
const strict = (await site.startServer({ SIGN_IN_FAILURES_PER_ACCOUNT: '1' })).url;

look('landing without prepas', {}, async (page) => {
  await site.rows('update prepa set is_published = false');
  const response = await page.goto('/');
  await page.getByText('Aucune préparation disponible pour le moment.', { exact: true }).waitFor();
  return response;
});

t.test('the prepas are published', async () => {
  await site.rows('update prepa set is_published = true');
});

interface Place {
  prepa: number;
  nom: string;
  discipline: number;
}
const account = await registerAccount(site);
const stranger = await createLearner(site);
const student = await createLearner(site);
const places = new Map<string, Place>();
let emptyPrepa = 0;
let emptyDiscipline = { prepaId: 0, id: 0 };

t.test('a student has every kind of enrolment', async (t) => {
  const rows = await site.rows<Place & { key: string }>(
    'select p.id as prepa, p.nom, d.id as discipline, d.nom as key from prepa p join discipline d on d.prepa_id = p.id',
  );
  for (const { key, ...place } of rows) places.set(key, place);
  t.equal(places.size, 6);
  const days = [30, 1, -3];
  for (const [index, [id, nom]] of [...new Map(rows.map(({ prepa, nom }) => [prepa, nom]))].entries()) {
    await createEnrolment(site, student, { id, nom }, days[index]);
  }
  const long = 'Concours directs et professionnels de la fonction publique, session spéciale de recrutement';
  const cancelled = await createPrepa(site, { nom: long, prix: 1_250_000 });
  emptyPrepa = cancelled.id;
  await createEnrolment(site, student, cancelled, 10);
  await site.rows(`update enrolment set statut = 'cancelled' where prepa_id = $1`, [cancelled.id]);
  // A name without any line-break opportunity.
  const endless = await createPrepa(site, { nom: 'Anticonstitutionnellement'.repeat(5).slice(0, 110) });
  emptyDiscipline = await createDiscipline(site, endless.id);
  await createEnrolment(site, student, { id: emptyDiscipline.prepaId, nom: 'Vide' });
  const text = 'insert into notification (user_id, message, date_creation) select $1, $2, now() from generate_series(1, 120)';
  await site.rows(text, [student.id, 'Bonjour']);
});

const place = (discipline: string): Place => places.get(discipline) ?? { prepa: 0, nom: '', discipline: 0 };
const maths = () => place('Mathématiques');

// Pages for visitors.
look('landing', {}, at('/'));
t.test('on a wide screen the landing page has the sample page beside its first text', async (t) => {
  const page = await newPage(t, { width: 1280, baseURL: site.url });
  await page.goto('/');
  const [text, sample] = [await page.locator('.hero__text').boundingBox(), await page.locator('.specimen').boundingBox()];
  t.ok(text && sample && text.x + text.width <= sample.x && text.y < sample.y + sample.height, JSON.stringify([text, sample]));
});
look('landing, questions open', {}, async (page) => {
  const response = await page.goto('/');
  for (const summary of await page.locator('.accordion summary').all()) await summary.click();
  return response;
});
look('landing, sign-in sent open', {}, at('/?connexion=1&suite=/user/dashboard'));
look('landing, registration sent open', {}, at('/?inscription=1'));
look('landing, registration refused', {}, async (page) => {
  await page.goto('/');
  await page.getByRole('link', { name: "S'inscrire", exact: true }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Inscription' });
  await islandIs(page, 'auth', 'ready');
  await dialog.getByRole('button', { name: "S'inscrire" }).click();
  await dialog.getByText("L'email est requis", { exact: true }).waitFor();
  return null;
});
look('sign-in', {}, at('/login'));
look('registration', {}, at('/inscription'));
look('sign-in after an ended session', {}, async (page) => {
  await presentSession(page, site, { token: 'x'.repeat(40) });
  const response = await page.goto('/user/dashboard');
  await page.getByText('Session expirée. Veuillez vous reconnecter.', { exact: true }).waitFor();
  return response;
});
look('sign-in refused', { allow: [/status of 401/] }, async (page) => {
  await page.goto('/login');
  return post(page, '.auth__form', { email: account.email, password: 'Mauvais-2026' });
});
look('registration refused', { allow: [/status of 400/] }, async (page) => {
  await page.goto('/inscription');
  return post(page, '.auth__form', { username: 'a', email: 'b@exemple.cm', password: 'c', confirmPassword: 'd' });
});
look('registration with a name and address in use', { allow: [/status of 409/] }, async (page) => {
  const { username, email, password } = account;
  await page.goto('/inscription');
  return post(page, '.auth__form', { username, email, password, confirmPassword: password });
});
look('too many attempts', { baseURL: strict, allow: [/status of 4(01|29)/] }, async (page) => {
  const attempt = async () => {
    await page.goto('/login');
    return post(page, '.auth__form', { email: 'patience@gmail.com', password: 'Mauvais-2026' });
  };
  await attempt();
  const response = await attempt();
  await page.getByText(/Réessayez dans/).waitFor();
  return response;
});
look('page not found', { allow: [/status of 404/] }, at('/nulle-part'));
look('prepa not found', { allow: [/status of 404/] }, at('/user/prepa/consultation/999999'));
look('address that names no prepa', { allow: [/status of 404/] }, at('/user/prepa/consultation/abc'));
look('unknown kind of content', { allow: [/status of 400/] }, async (page) => {
  const response = await page.goto(`/user/prepa/consultation/${maths().prepa}/${maths().discipline}?type=video&item=1`);
  await page.getByText('Type de contenu non reconnu', { exact: true }).waitFor();
  return response;
});
look('posted from another site', { allow: [/status of 403/] }, async (page) => {
  await page.goto('about:blank');
  await page.setContent(`<form method="post" action="${site.url}/api/users/logout"></form>`);
  return post(page, 'form');
});
look('broken page', { allow: [/status of 500/] }, async (page) => {
  await site.rows('alter table discipline rename to discipline_away');
  const response = await page.goto(`/user/prepa/consultation/${maths().prepa}`);
  await site.rows('alter table discipline_away rename to discipline');
  await page.getByText('Erreur 500', { exact: true }).waitFor();
  return response;
});
look('trial disciplines', {}, (page) => page.goto(`/user/prepa/consultation/${maths().prepa}`));
look('trial disciplines of an empty prepa', {}, async (page) => {
  const response = await page.goto(`/user/prepa/consultation/${emptyPrepa}`);
  await page.getByText('Aucune discipline disponible pour cette préparation.', { exact: true }).waitFor();
  return response;
});
look('trial study', {}, (page) => page.goto(`/user/prepa/consultation/${maths().prepa}/${maths().discipline}`));
look('trial study of an empty discipline', {}, async (page) => {
  const response = await page.goto(`/user/prepa/consultation/${emptyDiscipline.prepaId}/${emptyDiscipline.id}`);
  await assertNothingToRead(page);
  return response;
});

// Pages for learners.
look('landing, signed in, menu open', { as: student }, async (page) => {
  const response = await page.goto('/');
  await page.locator('summary.menu__button').click();
  return response;
});
look('empty dashboard', { as: stranger }, async (page) => {
  const response = await page.goto('/user/dashboard');
  await page.getByText('Aucune préparation active.', { exact: true }).waitFor({ state: 'attached' });
  return response;
});
look('full dashboard', { as: student }, async (page) => {
  await site.rows(
    `insert into item_reading (user_id, item_id, read_at) select $1, id, now() from item where discipline_id = $2 and kind = 'course' order by numero_page limit 1`,
    [student.id, maths().discipline],
  );
  const response = await page.goto('/user/dashboard');
  await page.getByRole('link', { name: /^Reprendre : / }).waitFor();
  await page
    .locator('.dashboard__dates details')
    .last()
    .evaluate((details: HTMLDetailsElement) => {
      details.open = true;
    });
  await page.getByText('99+').first().waitFor();
  return response;
});
look('dashboard with a drawer over an empty search result', { as: student }, async (page) => {
  const response = await page.goto('/user/dashboard?q=zzz', { waitUntil: 'networkidle' });
  await page.getByText('Aucune préparation ne correspond à votre recherche.', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Mes préparations', exact: true }).click();
  await page.getByRole('dialog', { name: 'Mes préparations' }).waitFor();
  return response;
});
look('catalogue', { as: student }, at('/user/preparations'));
look('catalogue of a visitor', {}, at('/user/preparations'));
look('enrolled prepas and disciplines', { as: student }, async (page) => {
  const response = await page.goto(`/user/prepaview/${maths().prepa}`);
  await page.getByRole('heading', { name: 'Disciplines' }).waitFor();
  return response;
});
look('half a dashboard', { as: student }, async (page) => {
  await site.rows('alter table enrolment rename to enrolment_away');
  const response = await page.goto('/user/dashboard');
  await site.rows('alter table enrolment_away rename to enrolment');
  await page.getByText('Erreur lors du chargement des données').first().waitFor({ state: 'attached' });
  await page.getByRole('heading', { name: maths().nom }).first().waitFor();
  return response;
});
look('dashboard after a cancelled payment', { as: student }, async (page) => {
  const response = await page.goto('/user/dashboard?payment_status=cancel');
  await toast(page, 'Paiement annulé.').waitFor();
  return response;
});
look('dashboard after an unknown payment', { as: stranger }, async (page) => {
  const response = await page.goto(`/user/dashboard?payment_status=success&prepa_id=${emptyPrepa}`);
  await toast(page, "Erreur lors de la confirmation de l'inscription. Veuillez contacter le support.").waitFor();
  return response;
});
look('cancelled, prepa known', { as: stranger }, (page) => cancelled(page, `?prepa_id=${maths().prepa}`));
look('cancelled', { as: stranger }, (page) => cancelled(page, ''));

/** Opens the page with a paused clock, so that its countdown does not redirect. */
async function cancelled(page: Page, query: string): Promise<Response | null> {
  await page.clock.install();
  await freeze(page);
  const response = await page.goto(`/user/dashboard/cancel${query}`);
  await toast(page, 'Paiement annulé. Vous allez être redirigé vers votre tableau de bord.').waitFor();
  return response;
}

look('success confirmed', { as: student }, async (page) => {
  const active = await site.rows<{ prepa_id: number; prepa_nom: string }>(
    `select prepa_id, prepa_nom from enrolment where user_id = $1 and statut = 'active' and date_expiration > now() order by id limit 1`,
    [student.id],
  );
  const response = await page.goto(`/user/dashboard/success/${active[0]?.prepa_id}`);
  await page.getByRole('heading', { name: 'Paiement réussi !' }).waitFor();
  await toast(page, `Félicitations ! Vous avez accès à "${active[0]?.prepa_nom}"`).waitFor();
  return response;
});

look('trial of a learner', { as: stranger }, (page) => page.goto(`/user/prepa/consultation/${maths().prepa}`));
look('trial of a learner whose access has ended', { as: student }, async (page) => {
  const { prepa, discipline } = place('Chimie');
  const response = await page.goto(`/user/prepa/${prepa}/${discipline}`);
  await page.getByText(/^Votre accès a pris fin le/).waitFor();
  return response;
});
// Study pages of an enrolled learner.
look('disciplines', { as: student }, (page) => page.goto(`/user/prepa/${emptyDiscipline.prepaId}`));
look('search, nothing typed', { as: student }, at('/user/recherche'));
look('search with a slip', { as: student }, async (page) => {
  const response = await page.goto('/user/recherche?q=inflatoin');
  await page.getByText('Vouliez-vous dire : inflation ?').waitFor();
  return response;
});
look('study of an empty discipline', { as: student }, async (page) => {
  const response = await page.goto(`/user/prepa/${emptyDiscipline.prepaId}/${emptyDiscipline.id}`);
  await assertNothingToRead(page);
  return response;
});
for (const [discipline, kind, holds] of [
  ['Physique', 'course', 'a lesson with figure, table and formulas'],
  ['Mathématiques', 'exercise', 'an exercise with its correction'],
  ['Droit public', 'pastExam', 'a past exam'],
] as const) {
  look(`study: ${holds}`, { as: student, moves: true }, async (page, t) => {
    const { prepa, discipline: id, nom } = place(discipline);
    await site.rows(
      `update enrolment set statut = 'active', date_expiration = now() + interval '9 days' where user_id = $1 and prepa_nom = $2`,
      [student.id, nom],
    );
    const [item] = await site.rows<{ id: number }>(
      `select id from item where discipline_id = $1 and kind = $2
       order by (contenu like '%<figure%')::int + (contenu like '%<table%')::int + (contenu like '%<math%')::int desc, numero_page limit 1`,
      [id, kind],
    );
    const response = await page.goto(`/user/prepa/${prepa}/${id}?type=${kind}&item=${item?.id}`);
    await islandIs(page, 'study', 'ready');
    await assertStill(t, page);
    await page.locator('.study details').evaluateAll((all) => {
      for (const details of all as HTMLDetailsElement[]) details.open = true;
    });
    return response;
  });
}

look('an error to report, refused', { as: student, allow: [/status of 400/] }, async (page) => {
  const [item] = await site.rows<{ id: number }>("select id from item where kind = 'exercise' and numero_page = 1 order by id limit 1");
  await page.goto(`/user/contenus/${item?.id}/signaler`);
  const [response] = await Promise.all([page.waitForNavigation(), page.getByRole('button', { name: 'Envoyer le signalement' }).click()]);
  return response;
});

async function assertNothingToRead(page: Page): Promise<void> {
  await page.getByText('Sélectionnez un contenu pour commencer', { exact: true }).waitFor();
  await page.locator('.toc').filter({ hasText: 'Cours (0)' }).getByText('Aucun cours disponible').waitFor({ state: 'attached' });
  for (const text of ['Aucun exercice disponible', 'Aucun ancien sujet disponible'])
    await page.getByText(text).waitFor({ state: 'attached' });
}
