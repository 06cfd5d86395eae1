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
import { statementsDuring } from '../../../../test/support/statements.ts';
import { dayMs, formatDate } from '../../../shared/dates.ts';

const home = await createTestApp(t);
const { app, clock, databaseUrl } = home;

/** Loads the dashboard as a document, for assertions on its visible text. */
async function dashboard(session: string, query = '') {
  const answer = await visit(app, `/user/dashboard${query}`, session);
  const { document } = parseHTML(answer.body);
  const texts = (selector: string) => [...document.querySelectorAll(selector)].map((element) => squeeze(element.textContent));
  const section = (name: string) => document.querySelector(`.dashboard__${name}`);
  return {
    answer,
    document,
    texts,
    words: (name: string) => squeeze(section(name)?.textContent ?? ''),
    links: (name: string) =>
      [...(section(name)?.querySelectorAll('.card__actions a') ?? [])].map((link) => [
        squeeze(link.textContent),
        link.getAttribute('href'),
      ]),
    toasts: [...document.querySelectorAll('.toast')].map((toast) => [toast.className, squeeze(toast.textContent)]),
  };
}

t.test('no prepas and no enrolments: each part has its own message', async (t) => {
  const { session } = await createLearner(home);
  const { answer, words } = await dashboard(session);
  t.equal(answer.statusCode, 200);
  t.match(words('mine'), 'Aucune préparation active.');
  t.match(words('dates'), /Aucune préparation$/);
  t.match(words('catalogue'), 'Aucune préparation disponible pour le moment.');
  t.equal(answer.headers['cache-control'], 'private, no-cache');
});

t.test('catalogue cards have links to enrol and to the trial, or to continue and renew for enrolled learners', async (t) => {
  const learner = await createLearner(home);
  const [open, other] = [await createPrepa(home, { nom: 'ENS', prix: 15_000 }), await createPrepa(home, { nom: 'ENAM', prix: 1_250_000 })];
  await createPrepa(home, { nom: 'Brouillon', isPublished: false });
  await createEnrolment(home, learner, open, 12);
  const { words, links, document } = await dashboard(learner.session);
  t.same(
    links('catalogue'),
    [
      ["S'inscrire ENAM", `/user/dashboard?paiement=${other.id}`],
      ['Consulter ENAM', `/user/prepa/consultation/${other.id}`],
      ['Continuer ENS', `/user/prepa/${open.id}`],
      ['Renouveler ENS', `/user/dashboard?paiement=${open.id}`],
    ],
    'prepas that are open already come last',
  );
  t.match(words('catalogue'), '1 250 000 XAF');
  t.notMatch(document.body.textContent, 'Brouillon');
  const enrol = document.querySelector(`.dashboard__catalogue a[data-prepa-id="${other.id}"]`);
  t.match(
    { opens: enrol?.getAttribute('data-opens'), montant: enrol?.getAttribute('data-montant'), nom: enrol?.getAttribute('data-nom') },
    { opens: 'payment', montant: '1250000', nom: 'ENAM' },
  );
  const until = (days: number) => formatDate(new Date(clock.now().getTime() + days * dayMs));
  t.equal(
    document.querySelector(`a[data-prepa-id="${open.id}"]`)?.getAttribute('data-fin'),
    until(42),
    'the link has the end after a renewal',
  );
  t.equal(enrol?.getAttribute('data-fin'), null);
  const said = squeeze(document.querySelector('dialog.payment')?.textContent);
  for (const text of [
    `jusqu'au ${until(30)}`,
    'sans renouvellement automatique',
    'votre propre code, sur votre téléphone',
    'Appelez le +237',
  ])
    t.match(said, text);
  await sql(databaseUrl, 'delete from prepa where id = $1', [other.id]);
});

t.test('the first card: three steps for a new learner, an end that is near, and what an ended access leaves', async (t) => {
  const learner = await createLearner(home);
  const prepa = await createPrepa(home, { nom: 'Police' });
  const card = async () => (await dashboard(learner.session)).document.querySelector('.current');
  t.match(squeeze((await card())?.textContent), /^Pour commencer Choisissez une préparation .* Essayer une leçon de /);
  t.match((await card())?.querySelector('a.button')?.getAttribute('href'), /^\/user\/prepa\/consultation\/\d+$/);

  const discipline = await createDiscipline(home, prepa.id);
  const lesson = await createItem(home, discipline.id, { contenu: `<p>${'mot '.repeat(1_800)}</p>` });
  await createEnrolment(home, learner, prepa, 7.5);
  t.match(squeeze((await card())?.textContent), /^Police .* 8 jours restants, jusqu'au .* 0 sur 1 terminé.* Commencer par : .* \(7 min\)$/);
  await sql(databaseUrl, "update enrolment set date_expiration = date_expiration - interval '1 day' where user_id = $1", [learner.id]);
  t.match(squeeze((await card())?.textContent), /Plus que 7 jours, jusqu'au .* Commencer par : .* Renouveler Police$/);

  await sql(databaseUrl, 'insert into item_reading (user_id, item_id, read_at, finished_at) values ($1, $2, $3, $3)', [
    ...[learner.id, lesson.id, clock.now()],
  ]);
  t.match(squeeze((await card())?.textContent), /Tout est terminé.* Continuer Police Renouveler Police$/);
  await sql(databaseUrl, "update enrolment set date_expiration = now() - interval '1 day', statut = 'expired' where user_id = $1", [
    learner.id,
  ]);
  t.match(
    squeeze((await card())?.textContent),
    /^Police Votre accès a pris fin le .*\. 1 contenu terminé vous attend\. Renouveler Police$/,
  );
  await sql(databaseUrl, 'update prepa set is_published = false where id = $1', [prepa.id]);
});

t.test('active, ended and cancelled enrolments', async (t) => {
  const learner = await createLearner(home);
  const [active, ended, cancelled] = [
    await createPrepa(home, { nom: 'Active' }),
    await createPrepa(home, { nom: 'Finie' }),
    await createPrepa(home, { nom: 'Annulée', isPublished: false }),
  ];
  await createEnrolment(home, learner, active, 0.5);
  await createEnrolment(home, learner, ended, -1);
  await createEnrolment(home, learner, cancelled, 3, 'cancelled');
  const { document, links, texts, words } = await dashboard(learner.session);
  const isOfDates = ([text]: (string | null)[]) => text?.startsWith('Voir les dates');
  t.same(
    links('mine')
      .filter((link) => !isOfDates(link))
      .sort(),
    [
      ['Continuer Active', `/user/prepa/${active.id}`],
      ['Renouveler Active', `/user/dashboard?paiement=${active.id}`],
      ['Renouveler Finie', `/user/dashboard?paiement=${ended.id}`],
    ].sort(),
    'an unpublished prepa cannot be renewed',
  );
  t.same(texts('.subscription .badge').sort(), ['Active', 'Annulée', 'Expirée']);
  t.match(words('mine'), '1 jour restant');
  t.match(words('dates'), 'Sélectionnez une préparation pour voir ses dates de validité');
  // Each card links to its dates.
  t.equal(links('mine').filter(isOfDates).length, 3);
  for (const link of document.querySelectorAll('.dashboard__mine a[data-opens-drawer]')) {
    const dates = document.querySelector(link.getAttribute('href') ?? '')?.closest('details');
    t.equal(`Voir les dates de ${dates?.querySelector('summary')?.textContent}`, link.textContent);
  }
});

t.test('dates are French, in Douala', async (t) => {
  const learner = await createLearner(home);
  const prepa = await createPrepa(home);
  await createEnrolment(home, learner, prepa);
  // 23:30 UTC is 00:30 of the next day in Douala.
  await sql(
    databaseUrl,
    `update enrolment set date_inscription = '2099-11-30T23:30:00Z', date_expiration = '2099-12-31T12:00:00Z' where user_id = $1`,
    [learner.id],
  );
  const { words } = await dashboard(learner.session);
  t.match(words('dates'), /Début ?1er décembre 2099 ?Fin ?31 décembre 2099/);
});

t.test('return from a cancelled payment: a toast says so', async (t) => {
  const { session } = await createLearner(home);
  const { toasts } = await dashboard(session, '?payment_status=cancel');
  t.same(toasts, [['toast toast--info', 'Paiement annulé.']]);
});

t.test('return by the cancel address of a paid renewal: a toast, and not that the learner is already enrolled', async (t) => {
  const [learner, prepa] = [await createLearner(home), await createPrepa(home)];
  await createEnrolment(home, learner, prepa);
  await createPayment(home, learner, prepa, 'succeeded');
  const { toasts } = await dashboard(learner.session, `?payment_status=cancel&prepa_id=${prepa.id}`);
  t.same(toasts, [['toast toast--info', 'Paiement annulé.']]);
});

t.test('return from an abandoned, cancelled or refused payment, also a renewal: redirect to its page', async (t) => {
  const prepa = await createPrepa(home);
  for (const status of ['created', 'pending', 'cancelled', 'expired', 'failed'] as const) {
    const learner = await createLearner(home);
    if (status === 'failed') await createEnrolment(home, learner, prepa);
    await createPayment(home, learner, prepa, status);
    const { answer } = await dashboard(learner.session, `?payment_status=cancel&prepa_id=${prepa.id}`);
    t.match(
      { status: answer.statusCode, to: answer.headers.location },
      { status: 303, to: `/user/dashboard/cancel?prepa_id=${prepa.id}` },
      status,
    );
  }
});

t.test('return from a payment: confirmed, being checked, failed, unknown', async (t) => {
  const prepa = await createPrepa(home);
  const comeBack = async (status: Parameters<typeof createPayment>[3] | null) => {
    const learner = await createLearner(home);
    if (status) await createPayment(home, learner, prepa, status);
    if (status === 'succeeded') await createEnrolment(home, learner, prepa);
    return dashboard(learner.session, `?payment_status=success&prepa_id=${prepa.id}`);
  };
  const confirmed = await comeBack('succeeded');
  t.equal(confirmed.answer.statusCode, 303);
  t.equal(confirmed.answer.headers.location, `/user/prepaview/${prepa.id}`);
  for (const status of ['created', 'pending', 'review'] as const) {
    const { answer } = await comeBack(status);
    t.equal(answer.statusCode, 303, status);
    t.equal(answer.headers.location, `/user/dashboard/success/${prepa.id}`, status);
  }
  t.equal((await comeBack('failed')).answer.headers.location, `/user/dashboard/cancel?prepa_id=${prepa.id}`);
  for (const status of ['cancelled', 'expired'] as const) {
    t.same((await comeBack(status)).toasts, [['toast toast--error', 'Paiement échoué ou annulé']], status);
  }
  t.same((await comeBack(null)).toasts, [
    ['toast toast--error', "Erreur lors de la confirmation de l'inscription. Veuillez contacter le support."],
  ]);
});

t.test('an old return address: no success is shown', async (t) => {
  const [learner, prepa] = [await createLearner(home), await createPrepa(home)];
  await createPayment(home, learner, prepa, 'succeeded');
  await createEnrolment(home, learner, prepa, -1);
  const { answer, toasts } = await dashboard(learner.session, `?payment_status=success&prepa_id=${prepa.id}`);
  t.equal(answer.statusCode, 200);
  t.match(toasts, [['toast toast--warning', /^Votre accès a pris fin le \d/]]);
});

t.test('an active enrolment not opened by the returned payment causes a warning', async (t) => {
  const prepa = await createPrepa(home);
  for (const status of [null, 'failed'] as const) {
    const learner = await createLearner(home);
    await createEnrolment(home, learner, prepa);
    if (status) await createPayment(home, learner, prepa, status);
    const { answer, toasts } = await dashboard(learner.session, `?payment_status=success&prepa_id=${prepa.id}`);
    t.equal(answer.statusCode, 200);
    t.same(toasts, [['toast toast--warning', 'Vous êtes déjà inscrit à cette préparation.']]);
  }
});

t.test('?paiement= opens the payment of a published prepa only', async (t) => {
  const { session } = await createLearner(home);
  const shown = await createPrepa(home, { nom: 'À payer', prix: 7_500 });
  const hidden = await createPrepa(home, { nom: 'Cachée', isPublished: false });
  const island = async (id: number | string) =>
    squeeze((await dashboard(session, `?paiement=${id}`)).document.querySelector('[data-island="payment"] dialog')?.textContent ?? '');
  t.match(await island(shown.id), /À payer.*en cours de rédaction.*7 500 XAF/);
  const discipline = await createDiscipline(home, shown.id);
  await createItem(home, discipline.id);
  t.match(
    await island(shown.id),
    `Contenu1 leçon, mis à jour le ${formatDate(clock.now())}`,
    'rendered by the server, as scripts may fail to load',
  );
  const count = async (query: string) => (await statementsDuring(() => dashboard(session, query))).length;
  t.equal(await count(`?paiement=${shown.id}`), await count(''), 'the statement that lists the prepas reads the open payment');
  t.notMatch(await island(hidden.id), 'Cachée');
  t.notMatch(await island('x'), 'XAF');
});

t.test('?paiement= of a prepa with access: the dialog says so first, with a link to continue and the effect of a payment', async (t) => {
  const learner = await createLearner(home);
  const [open, soon, ended, hidden] = [
    await createPrepa(home, { nom: 'Ouverte' }),
    await createPrepa(home, { nom: 'Bientôt finie' }),
    await createPrepa(home, { nom: 'Finie' }),
    await createPrepa(home, { nom: 'Retirée', isPublished: false }),
  ];
  await createEnrolment(home, learner, open, 12);
  await createEnrolment(home, learner, ended, -1);
  await createEnrolment(home, learner, hidden, 12);
  const until = (days: number) => formatDate(new Date(clock.now().getTime() + days * dayMs));
  const dialog = async (id: number, more = '') =>
    (await dashboard(learner.session, `?paiement=${id}${more}`)).document.querySelector('dialog.payment');
  const shown = await dialog(open.id);
  const said = shown?.querySelector('.payment__open');
  t.equal(squeeze(said?.textContent), `Vous y avez déjà accès jusqu'au ${until(12)} : un paiement ajoute 30 jours.`);
  t.notOk(said?.hasAttribute('hidden'));
  const first = (of: Element | null) => of?.querySelector('.dialog__actions > .button:not(.button--quiet, .button--secondary)');
  t.equal(first(shown)?.getAttribute('href'), `/user/prepa/${open.id}`, 'the first choice is to continue');
  t.match(squeeze(first(await dialog(open.id, '&reessayer=1'))?.textContent), 'Payer', 'after a refusal the first choice is to pay');
  await createEnrolment(home, learner, soon, 5);
  t.match(squeeze(first(await dialog(soon.id))?.textContent), 'Payer', 'in the last seven days the first choice is to pay');
  t.match(squeeze(shown?.textContent), `30 jours, jusqu'au ${until(42)}`);
  t.ok((await dialog(ended.id))?.querySelector('.payment__open')?.hasAttribute('hidden'), 'the dialog shows no access after its end');
  t.match(squeeze((await dialog(ended.id))?.querySelector('.summary')?.textContent), `Accès30 jours, jusqu'au ${until(30)}`);
  t.same((await dashboard(learner.session, `?paiement=${hidden.id}`)).toasts, [
    ['toast toast--info', `Cette préparation n'est plus proposée. Vous y avez accès jusqu'au ${until(12)}.`],
  ]);
});

t.test('an invalid query string is ignored', async (t) => {
  const { session } = await createLearner(home);
  for (const query of [
    '?payment_status=oui',
    '?payment_status=success',
    '?payment_status=success&prepa_id=x',
    '?payment_status[]=cancel',
  ]) {
    const { answer, toasts } = await dashboard(session, query);
    t.equal(answer.statusCode, 200, query);
    t.same(toasts, [], query);
  }
});

t.test('a part that cannot be read shows an error, and the rest is still rendered', async (t) => {
  const learner = await createLearner(home);
  await createPrepa(home, { nom: 'Toujours là' });
  clock.advance(1);
  await sql(databaseUrl, 'alter table enrolment rename to enrolment_away');
  const without = await dashboard(learner.session);
  await sql(databaseUrl, 'alter table enrolment_away rename to enrolment');
  t.equal(without.answer.statusCode, 200);
  t.match(without.words('mine'), 'Erreur lors du chargement des données Réessayer');
  t.match(without.words('dates'), 'Erreur lors du chargement des données Réessayer');
  t.match(without.words('catalogue'), 'Toujours là');
  t.match(without.toasts, [['toast toast--error', 'Erreur lors du chargement de vos préparations']]);
});

t.test('no part can be read: each shows an error', async (t) => {
  const { session } = await createLearner(home);
  await sql(databaseUrl, 'alter table prepa rename to prepa_away');
  const without = await dashboard(session);
  await sql(databaseUrl, 'alter table prepa_away rename to prepa');
  t.equal(without.answer.statusCode, 200);
  t.match(without.words('mine'), 'Erreur lors du chargement des données Réessayer');
  t.match(without.words('catalogue'), 'Erreur lors du chargement des préparations Réessayer');
});
