import t from 'tap';
import { asWritten, visit } from '../../../../test/support/app.ts';
import { createAdministrator, createLearner, createPayment, createPrepa } from '../../../../test/support/factories.ts';
import { assertValidHtml } from '../../../../test/support/page-checks.ts';
import { documentOf, openSupport, textOf } from '../../../../test/support/support-screens.ts';
import { dayMs, formatDate, formatInstant } from '../../../shared/dates.ts';
import type { Verification } from '../../payment/contract/provider.ts';
import { type PaymentStatus, paymentStatuses } from '../../payment/index.ts';
import { followNotification, storeNotification } from '../../payment/notifications/notification.service.ts';

const { home, rows, open, pay, settle } = await openSupport(t);
const { app, kernel, clock } = home;
const minute = 60_000;

async function page(url: string) {
  const answer = await open(url);
  return { ...answer, status: answer.statusCode, document: documentOf(answer.body), html: answer.body };
}
const listed = async (query: Record<string, string | number>) => {
  const address = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  const { document } = await page(`/admin/paiements?${address}`);
  return [...document.querySelectorAll('.record__title')].map(textOf);
};

const paid: Verification = {
  kind: 'succeeded',
  amount: 15_000,
  currency: 'XAF',
  payerPhone: '237699123456',
  providerTransactionId: 'trx.1',
  raw: { payer: '237699123456' },
};

t.test('an empty list explains which payments it will show', async (t) => {
  const { document, html } = await page('/admin/paiements');
  await assertValidHtml(t, html);
  t.match(textOf(document.querySelector('.empty')), /^Aucun paiement pour l'instant\./);
  t.equal(document.querySelector('.alert'), null, 'the list has no alert');
  t.equal(textOf(document.querySelector('.menu__item[aria-current="page"]')), 'Paiements');
  const totals = await page('/admin/paiements/totaux');
  await assertValidHtml(t, totals.html);
  t.match(textOf(totals.document.querySelector('.empty')), /^Aucun paiement confirmé sur cette période\./);
});

t.test('a payment is found by each of its identifiers, and by nothing else', async (t) => {
  const one = await pay([{ ...paid, providerTransactionId: 'trx.sim_abc', payerPhone: '+237 699 12 34 56' }]);
  const other = await pay([{ ...paid, providerTransactionId: 'trx.sim_def', payerPhone: '+237 677 00 11 22' }]);
  const found = async (recherche: string) => listed({ recherche });
  for (const typed of [
    one.reference,
    one.reference.toLowerCase(),
    ` ${one.reference} `,
    one.learner.email.toUpperCase(),
    '3456',
    '699123456',
    'trx.sim_abc',
  ])
    t.same(await found(typed), [one.reference], typed);
  t.same(await found(other.learner.email), [other.reference]);
  for (const typed of ['1234', 'personne@gmail.com', one.reference.slice(0, -1), 'trx.sim', '%', "' or 1=1 --", 'x'.repeat(300)])
    t.same(await found(typed), [], typed);
  const { document, html } = await page(`/admin/paiements?recherche=${encodeURIComponent('<b>"x</b>')}`);
  await assertValidHtml(t, html);
  t.equal(textOf(document.querySelector('.empty p')), 'Aucun paiement ne correspond à « <b>"x</b> ».');
  t.equal(document.querySelector('[name="recherche"]')?.getAttribute('value'), '<b>"x</b>');
});

t.test('filters work alone and combined, and invalid filters are ignored', async (t) => {
  const learner = await createLearner(home);
  const [prepa, another] = [await createPrepa(home), await createPrepa(home)];
  const references: Partial<Record<PaymentStatus, string>> = {};
  for (const status of paymentStatuses) {
    references[status] = (await createPayment(home, learner, prepa, status)).reference;
    clock.advance(1);
  }
  const elsewhere = (await createPayment(home, learner, another, 'pending')).reference;
  const mine = { recherche: learner.email };
  for (const status of paymentStatuses) {
    const expected = status === 'pending' ? [elsewhere, references.pending] : [references[status]];
    t.same(await listed({ ...mine, etat: status }), expected, status);
  }
  t.same(await listed({ ...mine, prepa: another.id }), [elsewhere]);
  t.same(await listed({ ...mine, prestataire: 'notchpay' }), []);
  const today = new Date(clock.now().getTime() + 3_600_000).toISOString().slice(0, 10);
  const all = [elsewhere, ...paymentStatuses.map((status) => references[status]).toReversed()];
  t.same(await listed({ ...mine, du: today, au: today }), all);
  t.same(await listed({ ...mine, au: '2020-01-01' }), []);
  t.same(await listed({ ...mine, du: '2999-01-01' }), []);
  const nonsense = { etat: 'oui', prepa: 'x', prestataire: "'", du: '2026-02-30', au: 'hier', avant: '99999999999', alerte: 'x' };
  t.same(await listed({ ...mine, ...nonsense }), all);
  t.equal((await page('/admin/paiements?etat=failed&etat=pending')).status, 200);

  clock.advance(31 * minute);
  t.same(await listed({ ...mine, alerte: 'anciens' }), [elsewhere, references.pending, references.created]);
  await rows('update payment set next_check_at = ? where reference = ?', [
    new Date(clock.now().getTime() - 11 * minute).toISOString(),
    elsewhere,
  ]);
  t.same(await listed({ ...mine, alerte: 'retard' }), [elsewhere]);
  const { document } = await page('/admin/paiements');
  t.same(
    [...document.querySelectorAll('.alert a')].map((link) => [textOf(link), link.getAttribute('href')]),
    [
      ["1 paiement à l'examen", '/admin/paiements?etat=review'],
      ['3 paiements sans issue depuis plus de 30 minutes', '/admin/paiements?alerte=anciens'],
      ['1 vérification en retard de plus de 10 minutes', '/admin/paiements?alerte=retard'],
    ],
  );
  // The menu of every page shows the number of payments to handle.
  const journal = (await page('/admin/journal')).document;
  for (const link of ['.sections__link', '.menu__item']) {
    t.same([...journal.querySelectorAll(link)].map(textOf).slice(0, 4), [
      'Préparations',
      'Concours blancs',
      'Signalements',
      'Paiements 1 à traiter',
    ]);
  }
});

t.test('25 payments per page, each once', async (t) => {
  const learner = await createLearner(home);
  const prepa = await createPrepa(home);
  for (let count = 0; count < 26; count += 1) await createPayment(home, learner, prepa, 'failed');
  const first = await page(`/admin/paiements?recherche=${learner.email}`);
  const titles = (document: ReturnType<typeof documentOf>) => [...document.querySelectorAll('.record__title')].map(textOf);
  const next = first.document.querySelector('.pagination a[rel="next"]');
  t.equal(textOf(next), 'Plus anciens');
  const second = await page(String(next?.getAttribute('href')));
  t.same([titles(first.document).length, titles(second.document).length], [25, 1]);
  t.equal(new Set([...titles(first.document), ...titles(second.document)]).size, 26);
  t.equal(second.document.querySelector('.pagination a[rel="next"]'), null);
  t.equal(textOf(second.document.querySelector('.pagination a')), 'Les plus récents');
  const beyond = await page(`/admin/paiements?avant=1`);
  t.match(textOf(beyond.document.querySelector('.empty')), /^Il n'y a pas de paiement plus ancien\./);
});

t.test('the page of a paid payment shows its full history, without telephone numbers', async (t) => {
  const { id, reference, learner, path } = await pay([{ kind: 'not_found', raw: {} }, paid]);
  const body = Buffer.from(`ref=${reference}&payer=%2B237699123456&x=%3Cscript%3Ealert(1)%3C%2Fscript%3E`);
  const headers = { 'content-type': 'application/x-www-form-urlencoded', cookie: 'secret=1', 'x-test': '<i>' };
  await storeNotification(kernel.fork(), kernel.context, kernel.providers.default, { body, headers });
  const { html, document, status } = await page(path);
  t.equal(status, 200);
  await assertValidHtml(t, html);
  const end = new Date(clock.now().getTime() + 30 * dayMs);
  t.equal(textOf(document.querySelector('.lead')), `Payé le ${formatInstant(clock.now())} : accès ouvert jusqu'au ${formatDate(end)}.`);
  t.same([...document.querySelectorAll('.support__part .entry .record__title')].map(textOf), [
    ...['Paiement commencé', 'État : Commencé → En attente', 'Réponse du prestataire : paiement inconnu de lui'],
    ...['Réponse du prestataire : payé', 'État : En attente → Payé', 'Notification du prestataire', '+30 jours (paiement)'],
    '+30 jours, paiement Ce paiement',
  ]);
  t.notMatch(html, /237699123456|699123456|secret=1|<script>alert|<i>/);
  t.match(html, 'payer = …3456');
  t.match(html, 'x = &lt;script&gt;alert(1)');
  t.match(textOf(document.querySelector('.summary')), new RegExp(`${learner.email}.*…3456`));
  t.match(asWritten(html), 'sans signature, comme toutes celles de ce prestataire ; encore à suivre');
  const forms = [...document.querySelectorAll('main form')].map((form) => form.getAttribute('action'));
  t.same(forms, [`/admin/paiements/${id}/jours`, `/admin/paiements/${id}/rembourser`], 'the page has the actions of a paid payment');
});

t.test('a history that exceeds its page gives the number of events left out', async (t) => {
  const { id, path } = await pay([{ kind: 'pending', raw: {} }]);
  t.notMatch((await page(path)).html, /les plus récent/);
  await rows(
    "insert into payment_event (payment_id, type, actor, at) select ?, 'verification', 'reconciliation', now() from generate_series(1, 500)",
    [id],
  );
  const { document, html } = await page(path);
  await assertValidHtml(t, html);
  t.match(textOf(document.querySelector('[aria-labelledby="support-histoire"]')), /Les 500 événements les plus récents sont affichés\./);
});

t.test('the sentence and the actions of each state', async (t) => {
  const states: [Verification[], RegExp, string[]][] = [
    [
      [{ kind: 'pending', raw: {} }],
      /^Le prestataire n'a pas encore confirmé ce paiement ; prochaine vérification le \d.* à \d\d:\d\d\.$/,
      ['verifier', 'jours', 'examiner'],
    ],
    [
      [{ kind: 'not_found', raw: {} }],
      /^Le prestataire ne connaît pas encore ce paiement : le candidat n'a sans doute pas fini de payer ; prochaine/,
      ['verifier', 'jours', 'examiner'],
    ],
    [
      [{ kind: 'incomplete', raw: {} }],
      /^Le prestataire n'a reçu qu'une partie de la somme ; prochaine/,
      ['verifier', 'jours', 'examiner'],
    ],
    [
      [{ kind: 'unknown', cause: 'x' }],
      /^Le prestataire n'a pas répondu à la dernière vérification ; prochaine/,
      ['verifier', 'jours', 'examiner'],
    ],
    [
      [{ kind: 'failed', raw: {} }],
      /^Le prestataire a refusé ce paiement le .* : le candidat peut recommencer\.$/,
      ['verifier', 'jours', 'examiner'],
    ],
    [[{ kind: 'cancelled', raw: {} }], /^Paiement annulé le .* chez le prestataire/, ['verifier', 'jours', 'examiner']],
    [[{ kind: 'expired', raw: {} }], /^Le délai pour payer a expiré le /, ['verifier', 'jours', 'examiner']],
    [
      [{ kind: 'mismatch', raw: {} }],
      /^Paiement à l'examen depuis le .* : le prestataire annonce un autre montant ou une autre devise que les nôtres\. Le support doit décider\.$/,
      ['verifier', 'jours', 'rembourser', 'classer'],
    ],
  ];
  for (const [answers, sentence, actions] of states) {
    const { path } = await pay(answers);
    const { document, html } = await page(path);
    t.match(textOf(document.querySelector('.lead')), sentence);
    t.same(
      [...document.querySelectorAll('main form')].map((form) => form.getAttribute('action')?.slice(path.length + 1)),
      actions,
    );
    if (answers[0]?.kind === 'mismatch') await assertValidHtml(t, html);
  }
  const silent = await pay([{ kind: 'pending', raw: {} }]);
  clock.advance(5 * minute);
  t.match(textOf((await page(silent.path)).document.querySelector('.lead')), /une vérification est due depuis le/);
  clock.advance(-5 * minute);
  const ended = await pay([paid]);
  clock.advance(31 * dayMs);
  const later = await createAdministrator(home, 'super_admin');
  const { body } = await visit(app, ended.path, later.session);
  t.match(textOf(documentOf(body).querySelector('.lead')), /^Payé le .* : l'accès a pris fin le /);
  clock.advance(-31 * dayMs);
  const unseen = await pay([{ kind: 'not_found', raw: {} }]);
  clock.advance(73 * 60 * minute);
  await settle(unseen.id, { kind: 'not_found', raw: {} });
  const next = await createAdministrator(home, 'super_admin');
  t.match(
    textOf(documentOf((await visit(app, unseen.path, next.session)).body).querySelector('.lead')),
    /^Paiement expiré le .* : le prestataire ne l'a jamais vu, le candidat n'a sans doute pas commencé à payer\. Il peut recommencer\.$/,
  );
  clock.advance(-73 * 60 * minute);
  for (const path of ['/admin/paiements/2000000000', '/admin/paiements/abc', '/admin/paiements/99999999999', '/admin/paiements/0'])
    t.equal((await page(path)).status, 404, path);
});

t.test('CSV: the payments of the list, for French spreadsheets, without formulas', async (t) => {
  const boss = await createAdministrator(home, 'super_admin');
  const learner = await createLearner(home);
  const prepa = await createPrepa(home, { nom: '=HYPERLINK("http://x";"é")' });
  const { reference, id } = await createPayment(home, learner, prepa, 'succeeded');
  await rows(
    "update payment set created_at = '2026-05-04T22:30:00Z', settled_at = '2026-05-04T23:30:00Z', payer_phone_last = '0042', provider_fee = 300 where id = ?",
    [id],
  );
  const answer = await visit(app, `/admin/paiements.csv?recherche=${learner.email}&du=2026-05-01&au=2026-05-31`, boss.session);
  t.equal(answer.headers['content-type'], 'text/csv; charset=utf-8');
  t.equal(answer.headers['content-disposition'], 'attachment; filename="paiements-2026-05-01-2026-05-31.csv"');
  t.equal(
    answer.body,
    '\ufeffRéférence;État;Candidat;Préparation;Montant (XAF);Rendu (XAF);Prestataire;Moyen;Identifiant chez le prestataire;Téléphone (fin);Commencé le;Payé le;Frais du prestataire (XAF)\r\n' +
      `${reference};Payé;${learner.email};"'=HYPERLINK(""http://x"";""é"")";15000;0;ZitoPay;;;…0042;2026-05-04 23:30:00;2026-05-05 00:30:00;300\r\n`,
  );
  const [entry] = await rows("select actor, network, subject, label, after from audit_entry where action = 'exported'");
  const after = { format: 'CSV', du: '2026-05-01', au: '2026-05-31', recherche: true };
  t.same(
    entry,
    { actor: boss.username, network: '127.0.0.1', subject: 'payment', label: 'Paiements', after },
    'the audit entry does not name the learner',
  );
  const [{ n } = { n: 0 }] = await rows<{ n: number }>('select count(*)::int as n from payment');
  // More than a first batch of 50 and a second one of 500.
  await rows(
    `insert into payment (provider, reference, user_id, prepa_id, prepa_nom, amount, status, checks, created_at, updated_at)
     select 'zitopay', 'ZPB' || g, ?, ?, 'x', 1, 'failed', 0, now(), now() from generate_series(1, 2500) g`,
    [learner.id, prepa.id],
  );
  const all = (await visit(app, '/admin/paiements.csv', boss.session)).body.trimEnd().split('\r\n');
  t.equal(all.length, 1 + n + 2500);
  t.equal(new Set(all).size, all.length, 'each payment is in the file once');
});

t.test('an unsigned provider id is shown as not verified, until the provider confirms it', async (t) => {
  const { providerTransactionId: _, ...withoutId } = paid as Extract<Verification, { kind: 'succeeded' }>;
  const payment = await pay([withoutId]);
  const fact = async () => {
    const { document, html } = await page(payment.path);
    await assertValidHtml(t, html);
    const named = [...document.querySelectorAll('.summary dt')].find((term) => textOf(term) === 'Identifiant chez le prestataire');
    return textOf(named?.nextElementSibling);
  };
  t.equal(await fact(), undefined);
  // Anybody can send a notification to this address.
  const told = { id: null, paymentId: payment.id, arrived: performance.now(), providerTransactionId: 'SIM-volé-1' };
  await followNotification(kernel.fork(), kernel.context, kernel.providers, told);
  t.match(await fact(), /^SIM-volé-1 Non vérifié$/);
  const why =
    /Identifiant chez le prestataire : non vérifié\. Une notification sans signature l'a donné, et le prestataire ne l'a pas confirmé :/;
  t.match(textOf((await page(payment.path)).document.querySelector('main')), why);
  await settle(payment.id, { ...withoutId, kind: 'succeeded', raw: { transaction: 'SIM-autre' } }, true);
  t.match(await fact(), 'Non vérifié', 'a different id from the provider does not confirm the stored id');
  const confirmed = await pay([{ ...paid, providerTransactionId: 'SIM-sûr-1', raw: { transaction: 'SIM-sûr-1' } } as Verification]);
  const { document } = await page(confirmed.path);
  t.notMatch(textOf(document.querySelector('.summary')), 'Non vérifié');
  t.match(textOf(document.querySelector('.summary')), 'SIM-sûr-1');
});
