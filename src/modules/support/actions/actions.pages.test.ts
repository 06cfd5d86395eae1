import t, { type Test } from 'tap';
import { submit, visit } from '../../../../test/support/app.ts';
import { createLearner, createPayment, createPrepa } from '../../../../test/support/factories.ts';
import { assertValidHtml } from '../../../../test/support/page-checks.ts';
import { documentOf, openSupport, textOf } from '../../../../test/support/support-screens.ts';
import { dayMs, formatDate } from '../../../shared/dates.ts';
import type { Verification } from '../../payment/contract/provider.ts';

const { home, boss, rows, open, settle, toastAfter, hiddenFields, ...support } = await openSupport(t);
const { app, clock } = home;

async function pay(answer: Verification) {
  const { learner, path, id, reference } = await support.pay([answer]);
  return {
    learner,
    path,
    id,
    reference,
    send: (form: string, fields?: Record<string, string>) => support.send(path, form, fields),
    document: async () => documentOf((await open(path)).body),
    status: async () => (await rows<{ status: string }>('select status from payment where id = ?', [id]))[0]?.status,
    days: () =>
      rows(
        `select x.days, x.source, x.reason, x.operator from enrolment_extension x join enrolment e on e.id = x.enrolment_id
         where e.user_id = ? order by x.id`,
        [learner.id],
      ),
  };
}

/** Makes the provider report a partial refund. */
const reportRefund = (reference: string, returned: number) =>
  settle(reference, { kind: 'partly_refunded', taken: { amount: 15_000, currency: 'XAF' }, returned, raw: {} }, true);

/** Sends a form twice concurrently, and checks that one request succeeds and the other is refused. */
async function sendTwice(
  t: Test,
  { send }: Awaited<ReturnType<typeof pay>>,
  form: string,
  fields: Record<string, string>,
  message: string,
) {
  const [one, other] = await Promise.all([send(form, fields), send(form, fields)]);
  const [done, again] = one.statusCode < other.statusCode ? [one, other] : [other, one];
  t.same([done.statusCode, again.statusCode], [303, 409], message);
  return { done, again };
}

const paid: Verification = { kind: 'succeeded', amount: 15_000, currency: 'XAF', raw: {} };
const mismatch: Verification = { kind: 'mismatch', raw: {} };
const pending: Verification = { kind: 'pending', raw: {} };

t.test('verify now: asks the provider, shows the result, and records the operator', async (t) => {
  const payment = await pay(pending);
  const answer = await payment.send('verifier');
  t.equal(answer.statusCode, 303);
  t.equal(answer.headers.location, payment.path);
  t.match(await toastAfter(answer), /^Le prestataire n'a pas répondu\. Prochaine vérification le /);
  const [event] = await rows(
    "select actor, operator, detail->>'kind' as kind from payment_event where payment_id = ? order by id desc limit 1",
    [payment.id],
  );
  t.same(event, { actor: 'operator', operator: boss.username, kind: 'unknown' });
  t.match(textOf((await payment.document()).body), `par ${boss.username}`);

  const settled = await pay(paid);
  t.equal(await toastAfter(await settled.send('verifier')), "L'état « Payé » est définitif : le prestataire n'a pas été interrogé.");
});

t.test('a partial refund is recorded with its amount: the access stays, and the rest may follow', async (t) => {
  const payment = await pay(paid);
  const confirmation = payment.reference.slice(-4);
  const field = (document: Document) => document.getElementById('support-rembourser-montant');
  t.equal(field(await payment.document())?.getAttribute('max'), '15000');
  for (const montant of ['0', '-5', '1,5', 'tout', '15001']) {
    const refused = await payment.send('rembourser', { raison: 'geste', confirmation, montant });
    t.equal(refused.statusCode, 400, montant);
    await assertValidHtml(t, refused.body);
    t.equal(field(documentOf(refused.body))?.getAttribute('aria-invalid'), 'true', montant);
  }
  await payment.send('rembourser', { raison: 'geste', confirmation, montant: '1 500' });
  t.equal(await payment.status(), 'succeeded');
  t.match(await payment.days(), [{ days: 30 }]);
  const document = await payment.document();
  t.match(textOf(document.querySelector('.lead')), /^Payé le .* : 1 500 XAF sur 15 000 XAF ont été rendus, accès ouvert jusqu'au /);
  t.match(textOf(document.body), /Décision : Remboursement partiel enregistré Payé 1 500 XAF rendus ; geste/);
  t.match(textOf(document.querySelector('.summary')), 'Déjà rendu1 500 XAF');
  t.equal(field(document)?.getAttribute('max'), '13500');
  t.match(textOf(documentOf((await open('/admin/journal')).body).querySelector('main')), / Rendu .*Après1 500 XAF/);
  await payment.send('rembourser', { raison: 'geste', confirmation, montant: '' });
  t.equal(await payment.status(), 'refunded');
});

t.test('a partial refund is recorded once per page, and refused when the page is outdated', async (t) => {
  const payment = await pay(paid);
  const confirmation = payment.reference.slice(-4);
  const part = { ...(await hiddenFields(payment.path, 'rembourser')), raison: 'geste', confirmation, montant: '500' };
  const { again } = await sendTwice(t, payment, 'rembourser', part, 'a double submit refunds once');
  const document = documentOf(again.body);
  t.equal(
    textOf(document.querySelector('.alert--error')),
    'Ce qui a été rendu de ce paiement a changé entre-temps (500 XAF en tout) : relisez-le avant de recommencer.',
  );
  t.equal(document.getElementById('support-rembourser-montant')?.getAttribute('value'), '500', 'the field shows the typed amount');
  await assertValidHtml(t, again.body);

  // The provider reports a partial refund while two pages are open.
  const [refunding, looking] = [await hiddenFields(payment.path, 'rembourser'), await hiddenFields(payment.path, 'regarder')];
  await reportRefund(payment.reference, 1_500);
  t.equal((await payment.send('rembourser', { ...refunding, raison: 'geste', confirmation, montant: '1000' })).statusCode, 409);
  t.equal(
    (await payment.send('regarder', { vu: '500', ...looking, raison: 'vu' })).statusCode,
    409,
    'a refund not shown on the page cannot be acknowledged',
  );
  t.equal((await payment.send('rembourser', { raison: 'geste', confirmation, montant: '1000', vu: '' })).statusCode, 409);
  t.match(await rows('select refunded_amount as back from payment where id = ?', [payment.id]), [{ back: 1500 }]);
  t.equal((await payment.send('regarder', { raison: 'vu' })).statusCode, 303);
});

t.test('a partial refund by the provider is shown above the list until it is acknowledged', async (t) => {
  const payment = await pay(paid);
  await reportRefund(payment.reference, 500);
  const listed = async () => textOf(documentOf((await open('/admin/paiements?alerte=rendus')).body).querySelector('main'));
  t.match(await listed(), '1 paiement remboursé en partie, à regarder');
  t.match(await listed(), payment.reference);
  const document = await payment.document();
  t.match(
    textOf(document.querySelector('.lead')),
    /Le prestataire dit avoir rendu une partie de la somme : le support doit regarder ce paiement\.$/,
  );
  t.match(textOf(document.body), /Remboursement partiel 500 XAF rendus/);
  t.match(
    textOf(document.querySelector('form[action$="/regarder"]')?.closest('details')?.querySelector('summary')),
    'Noter le remboursement partiel comme vu',
  );
  t.equal(await toastAfter(await payment.send('regarder', { raison: 'geste commercial' })), 'Remboursement partiel vu.');
  t.notMatch(await listed(), payment.reference);
  t.notOk((await payment.document()).querySelector('form[action$="/regarder"]'));
  t.equal((await payment.send('regarder', { raison: 'encore' })).statusCode, 409);
});

t.test('a refund is recorded once, with its reason and the confirmed reference, and its days are reversed', async (t) => {
  const payment = await pay(paid);
  const confirmation = payment.reference.slice(-4);
  const raison = 'payé deux fois <b>';
  const unconfirmed: [Record<string, string>, string, string][] = [
    [{ raison }, 'confirmation', 'Saisissez les 4 derniers caractères de la référence.'],
    [{ raison, confirmation: 'zzzz' }, 'confirmation', 'Saisissez les 4 derniers caractères de la référence.'],
    [{ raison: ' ', confirmation }, 'raison', 'Donnez une raison, de 1 à 300 caractères.'],
    [{ raison: 'x'.repeat(301), confirmation }, 'raison', 'Donnez une raison, de 1 à 300 caractères.'],
    [{ confirmation }, 'raison', 'Donnez une raison, de 1 à 300 caractères.'],
  ];
  for (const [fields, field, message] of unconfirmed) {
    const refused = await payment.send('rembourser', fields);
    t.equal(refused.statusCode, 400);
    await assertValidHtml(t, refused.body);
    const input = documentOf(refused.body).getElementById(`support-rembourser-${field}`);
    t.equal(input?.getAttribute('aria-invalid'), 'true');
    const described = String(input?.getAttribute('aria-describedby')).split(' ');
    t.equal(textOf(documentOf(refused.body).getElementById(String(described.at(-1)))), message);
    t.ok(
      documentOf(refused.body).getElementById('support-rembourser-raison')?.closest('details')?.hasAttribute('open'),
      'the form is open',
    );
    const written = (fields.raison ?? '').replace('<b>', '&lt;b&gt;');
    t.match(
      refused.body,
      new RegExp(`<textarea [^>]*id="support-rembourser-raison"[^>]*>${written}</textarea>`),
      'the field shows the typed reason',
    );
  }
  t.equal(await payment.status(), 'succeeded');

  const fields = { ...(await hiddenFields(payment.path, 'rembourser')), raison, confirmation: ` ${confirmation.toUpperCase()} ` };
  const { done, again } = await sendTwice(t, payment, 'rembourser', fields, 'a double submit refunds once');
  t.equal(await toastAfter(done), 'Remboursement enregistré.');
  t.equal(textOf(documentOf(again.body).querySelector('.alert--error')), "Seul un paiement réussi ou à l'examen peut être remboursé.");
  t.equal(await payment.status(), 'refunded');
  t.same(await payment.days(), [
    { days: 30, source: 'payment', reason: null, operator: null },
    { days: -30, source: 'refund', reason: raison, operator: boss.username },
  ]);
  const document = await payment.document();
  t.match(textOf(document.querySelector('.lead')), /^Remboursé le .* : les jours de ce paiement ont été repris, l'accès a pris fin le /);
  t.match(textOf(document.body), /Décision : Remboursement enregistré Remboursé payé deux fois <b>/);
  t.match(textOf(document.body), /−30 jours, repris après remboursement Ce paiement/);
  t.same(
    [...document.querySelectorAll('main form')].map((form) => form.getAttribute('action')),
    [`${payment.path}/jours`],
  );
  const [audit] = await rows("select administrator_id, action, label from audit_entry where subject = 'payment' order by id desc limit 1");
  t.same(audit, { administrator_id: boss.id, action: 'refunded', label: payment.reference });
});

t.test('review and closing: only if the state allows them', async (t) => {
  const payment = await pay(pending);
  t.equal((await payment.send('classer', { raison: 'rien' })).statusCode, 409);
  const early = await payment.send('rembourser', { raison: 'rien', confirmation: payment.reference.slice(-4) });
  t.equal(early.statusCode, 409);
  t.equal(await payment.status(), 'pending');
  t.equal(await toastAfter(await payment.send('examiner', { raison: 'le candidat appelle.' })), "Mis à l'examen.");
  t.match(
    textOf((await payment.document()).querySelector('.lead')),
    /^Paiement à l'examen depuis le .* : le candidat appelle\. Le support/,
  );
  const again = await payment.send('examiner', { raison: 'encore' });
  t.equal(again.statusCode, 409);
  t.equal(textOf(documentOf(again.body).querySelector('#support-examiner-raison')), undefined, 'the form is not shown in the new state');
  t.equal(await toastAfter(await payment.send('classer', { raison: 'aucun débit' })), 'Classé sans suite.');
  t.equal(await payment.status(), 'failed');
  t.match(textOf((await payment.document()).querySelector('.lead')), /^Classé sans suite le .* : aucun débit\.$/);

  const late = await pay(mismatch);
  t.equal((await late.send('classer', { raison: 'faux montant' })).statusCode, 303);
});

t.test('refunding a payment under review: no days were added, and none are reported as reversed', async (t) => {
  const payment = await pay(mismatch);
  const fields = { raison: 'autre montant', confirmation: payment.reference.slice(-4) };
  t.ok((await payment.document()).getElementById('support-rembourser-raison'), 'the page has the refund form');
  t.equal(await toastAfter(await payment.send('rembourser', fields)), 'Remboursement enregistré.');
  t.match(textOf((await payment.document()).querySelector('.lead')), /^Remboursé le .* : aucun accès n'a été ouvert\.$/);
  t.equal(
    (await visit(app, `/user/paiements/${payment.reference}`, payment.learner.session)).statusCode,
    404,
    'a payment refunded under review has no receipt',
  );
  const own = textOf(documentOf((await visit(app, '/user/paiements', payment.learner.session)).body).querySelector('main'));
  t.match(own, /Cette somme vous a été rendue\.$/);
  t.notMatch(own, /repris|Voir le reçu/);
});

t.test('days are added and taken with a reason, once per page', async (t) => {
  const payment = await pay(pending);
  const seen = async () => String((await payment.document()).querySelector('[name="vu"]')?.getAttribute('value'));
  const grant = { sens: 'accorder', jours: '10', raison: 'panne' };
  const first = { ...grant, vu: await seen() };
  const { done, again } = await sendTwice(t, payment, 'jours', first, 'a double submit adds days once');
  const end = formatDate(new Date(clock.now().getTime() + 10 * dayMs));
  t.equal(await toastAfter(done), `10 jours accordés : accès jusqu'au ${end}.`);
  const document = documentOf(again.body);
  t.equal(
    textOf(document.querySelector('.alert--error')),
    'Les jours de ce candidat ont changé entre-temps : relisez-les avant de recommencer.',
  );
  t.equal(document.getElementById('support-jours-jours')?.getAttribute('value'), '10', 'the field shows the typed number of days');
  await assertValidHtml(t, again.body);

  const taken = await payment.send('jours', { sens: 'retirer', jours: '1', raison: 'trop', vu: await seen() });
  t.match(await toastAfter(taken), /^1 jour retiré : accès jusqu'au /);
  t.equal(
    await toastAfter(await payment.send('jours', { ...grant, sens: 'retirer', jours: '366', vu: await seen() })),
    "366 jours retirés : l'accès est terminé.",
  );
  const over = await payment.send('jours', { ...grant, sens: 'retirer', vu: await seen() });
  t.equal(over.statusCode, 409);
  t.equal(textOf(documentOf(over.body).querySelector('.alert--error')), "Cet accès est déjà terminé : il n'y a plus de jours à retirer.");
  t.ok(documentOf(over.body).querySelector('[name="sens"][value="retirer"]')?.hasAttribute('checked'));
  t.same(await payment.days(), [
    { days: 10, source: 'grant', reason: 'panne', operator: boss.username },
    { days: -1, source: 'withdrawal', reason: 'trop', operator: boss.username },
    { days: -366, source: 'withdrawal', reason: 'panne', operator: boss.username },
  ]);
});

t.test('an invalid form of days is shown again with all faults', async (t) => {
  const payment = await pay(pending);
  for (const jours of ['', '0', '367', '1.5', '-1', 'dix', '1e2']) {
    const refused = await payment.send('jours', { sens: 'accorder', jours, raison: '', vu: '0' });
    t.equal(refused.statusCode, 400, jours);
    const document = documentOf(refused.body);
    t.equal(textOf(document.getElementById('support-jours-jours-error')), 'Le nombre de jours doit être un nombre entier de 1 à 366.');
    t.equal(textOf(document.getElementById('support-jours-raison-error')), 'Donnez une raison, de 1 à 300 caractères.');
    t.equal(document.getElementById('support-jours-jours')?.getAttribute('value'), jours);
  }
  const sideless = await payment.send('jours', { sens: '<', jours: '3', raison: 'x', vu: '0' });
  t.equal(textOf(documentOf(sideless.body).getElementById('support-jours-sens-error')), "Choisissez d'accorder ou de retirer des jours.");
  await assertValidHtml(t, sideless.body);
  for (const vu of ['', 'x', '-1', '99999999999999999999'])
    t.equal((await payment.send('jours', { sens: 'accorder', jours: '3', raison: 'x', vu })).statusCode, 409, vu);
  t.same(await payment.days(), []);
});

t.test('a payment of a deleted prepa has no days to change, and an unknown payment has no page', async (t) => {
  const learner = await createLearner(home);
  const { id } = await createPayment(home, learner, await createPrepa(home), 'review');
  await rows('update payment set prepa_id = null where id = ?', [id]);
  const document = documentOf((await open(`/admin/paiements/${id}`)).body);
  t.same(
    [...document.querySelectorAll('main form')].map((form) => form.getAttribute('action')?.split('/').at(-1)),
    ['verifier', 'rembourser', 'classer'],
  );
  const refused = await submit(app, `/admin/paiements/${id}/jours`, { sens: 'accorder', jours: '3', raison: 'x', vu: '0' }, boss.session);
  t.equal(refused.statusCode, 409);
  for (const form of ['verifier', 'examiner', 'classer', 'rembourser', 'jours']) {
    const fields = { raison: 'x', confirmation: 'x', sens: 'accorder', jours: '3', vu: '0' };
    t.equal((await submit(app, `/admin/paiements/2000000000/${form}`, fields, boss.session)).statusCode, 404, form);
    t.equal((await submit(app, `/admin/paiements/x/${form}`, fields, boss.session)).statusCode, 404, form);
  }
});
