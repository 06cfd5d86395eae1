import { parseHTML } from 'linkedom';
import t from 'tap';
import { createTestApp, squeeze, visit } from './support/app.ts';
import {
  createAdministrator,
  createDiscipline,
  createEnrolment,
  createItem,
  createLearner,
  createPayment,
  createPrepa,
} from './support/factories.ts';
import { sql } from './support/sql.ts';

// Each action has one verb on all pages (docs/design.md §4).

const site = await createTestApp(t, { ZITOPAY_BASE_URL: 'http://127.0.0.1:9' });
const { app } = site;

/** Prepas that the learner has started, not started, had until an end, had cancelled, and never had; and one with an open payment. */
const begun = await createPrepa(site, { nom: 'Commencée' });
const fresh = await createPrepa(site, { nom: 'Nouvelle' });
const ended = await createPrepa(site, { nom: 'Terminée' });
const cancelled = await createPrepa(site, { nom: 'Annulée' });
const never = await createPrepa(site, { nom: 'Inconnue' });
const awaited = await createPrepa(site, { nom: 'En attente' });
const learner = await createLearner(site);
const beginner = await createLearner(site);
const administrator = await createAdministrator(site, 'super_admin');
const discipline = await createDiscipline(site, begun.id);
const lesson = await createItem(site, discipline.id);
await createDiscipline(site, fresh.id);
for (const prepa of [begun, fresh]) await createEnrolment(site, learner, prepa);
await createEnrolment(site, beginner, fresh);
await createEnrolment(site, learner, ended, -3);
await createEnrolment(site, learner, cancelled);
await sql(site.databaseUrl, `update enrolment set statut = 'cancelled' where prepa_id = $1`, [cancelled.id]);
await sql(site.databaseUrl, 'insert into item_reading (user_id, item_id, read_at) values ($1, $2, now())', [learner.id, lesson.id]);
const payment = await createPayment(site, learner, awaited, 'pending');
const paid = await createPayment(site, learner, begun, 'succeeded');

interface Action {
  /** The visible text, without the name added for screen readers. */
  text: string;
  href: string;
  pays: string | null;
}

async function actionsOf(url: string, session = learner.session): Promise<Action[]> {
  const answer = await visit(app, url, session);
  if (answer.statusCode !== 200) throw new Error(`${url}: ${answer.statusCode}`);
  const { document } = parseHTML(answer.body);
  for (const hidden of document.querySelectorAll('.visually-hidden')) hidden.remove();
  const links = [...document.querySelectorAll('a.button:not([data-clears], [data-closes]), a.back, .links a, .bar a, .menu__panel a')].map(
    (link) => ({
      text: squeeze(link.textContent),
      href: link.getAttribute('href') ?? '',
      pays: link.getAttribute('data-opens') === 'payment' ? link.getAttribute('data-prepa-id') : null,
    }),
  );
  const buttons = [...document.querySelectorAll('form button[type="submit"]')].map((button) => ({
    text: squeeze(button.textContent),
    href: button.getAttribute('formaction') ?? button.closest('form')?.getAttribute('action') ?? '',
    pays: null,
  }));
  return [...links, ...buttons];
}

const pages = [
  '/user/dashboard',
  '/user/preparations',
  `/user/prepaview/${fresh.id}`,
  `/user/prepa/${begun.id}`,
  `/user/prepa/${fresh.id}`,
  `/user/dashboard/success/${begun.id}`,
  `/user/dashboard/success/${awaited.id}`,
  `/user/dashboard/cancel?prepa_id=${ended.id}`,
  '/user/paiements',
  `/user/paiements/${paid.reference}`,
  '/user/recherche?q=rien',
  '/user/a-revoir',
  '/user/notifications',
  '/user/profil',
];
const own = (await Promise.all(pages.map((url) => actionsOf(url)))).flat();
const actions = [
  ...own,
  // This learner has read nothing yet.
  ...(await actionsOf('/user/dashboard', beginner.session)),
  ...(await actionsOf(`/admin/paiements/${payment.id}`, administrator.session)),
];

const verbs = (from: readonly Action[]) => [...new Set(from.map(({ text }) => text))].sort();
const leadingTo = (pattern: RegExp) => verbs(actions.filter(({ href, text }) => pattern.test(href) && text !== 'Rechercher'));

t.test('opening a prepa, continuing an item, viewing a trial', async (t) => {
  t.same(leadingTo(/^\/user\/prepa\/\d+$/), ['Continuer']);
  t.same(leadingTo(/^\/user\/prepa\/\d+\/\d+\?/), ['Reprendre', 'Reprendre (1 min)', `Reprendre : ${lesson.titre}`]);
  t.same(leadingTo(/^\/user\/prepa\/consultation\/\d+$/), ['Consulter', 'Consulter la préparation']);
});

t.test('a payment: the first one, one more, one that is open', async (t) => {
  const paying = ({ id }: { id: number }) => verbs(own.filter(({ pays }) => pays === String(id)));
  for (const prepa of [begun, fresh, ended, cancelled]) t.same(paying(prepa), ['Renouveler'], prepa.nom);
  t.same(paying(never), ["S'inscrire"]);
  t.same(paying(awaited), ['Reprendre ce paiement', "S'inscrire"]);
  t.same(leadingTo(/\/verifier(?:\?|$)|^\/user\/dashboard\/success\//), ['Vérifier ce paiement']);
});

t.test('the dashboard, the catalogue, the way out', async (t) => {
  t.same(leadingTo(/^\/user\/dashboard$/), ["Aujourd'hui", 'Mon espace', 'Retour à mon espace']);
  t.same(leadingTo(/^\/user\/preparations$/), ['Voir les préparations']);
  t.same(leadingTo(/\/logout$/), ['Déconnexion']);
});
