import { parseHTML } from 'linkedom';
import t from 'tap';
import { startSimulator } from '../../../../simulators/zitopay/testing.ts';
import { call, createTestApp, squeeze, submit, visit } from '../../../../test/support/app.ts';
import { createEnrolment, createLearner, createPayment, createPrepa, type TestLearner } from '../../../../test/support/factories.ts';
import { sql } from '../../../../test/support/sql.ts';
import { terminal } from '../../identity/index.ts';
import { decidePayment, type PaymentStatus } from '../../payment/index.ts';

const simulator = await startSimulator(t as never);
const home = await createTestApp(t, {
  ZITOPAY_BASE_URL: simulator.url,
  ZITOPAY_RECEIVER: 'prepa',
  ZITOPAY_TIMEOUT_MS: '5000',
  PAYMENT_PROVIDER_FAILURES: '1000',
  SUPPORT_EMAIL: 'aide@prepa.example',
  SUPPORT_PHONE: '+237 6 90 00 00 00',
});
const { app, kernel, clock, databaseUrl } = home;
// 13:50 in Douala.
clock.advance(Date.parse('2026-11-21T12:50:00Z') - clock.now().getTime());

async function list(learner: TestLearner, query = '') {
  const answer = await visit(app, `/user/paiements${query}`, learner.session);
  const { document } = parseHTML(answer.body);
  return {
    answer,
    document,
    main: squeeze(document.querySelector('main')?.textContent),
    cards: [...document.querySelectorAll('.payment-card')].map((card) => ({
      text: squeeze(card.textContent),
      badge: squeeze(card.querySelector('.badge')?.textContent),
      next: squeeze(card.querySelector('.payment-card__next')?.textContent),
      reference: card.querySelector('.payment-reference')?.textContent ?? '',
      verify: card.querySelector('form')?.getAttribute('action') ?? null,
      receipt: card.querySelector('a')?.getAttribute('href') ?? null,
    })),
    pages: [...document.querySelectorAll('nav[aria-label="Pages de vos paiements"] a')].map((link) => link.getAttribute('href') ?? ''),
  };
}

async function receiptOf(learner: TestLearner, reference: string) {
  const answer = await visit(app, `/user/paiements/${reference}`, learner.session);
  const { document } = parseHTML(answer.body);
  const rows = [...document.querySelectorAll('.receipt dl > div')].map((row) => [
    squeeze(row.querySelector('dt')?.textContent),
    squeeze(row.querySelector('dd')?.textContent),
  ]);
  return {
    answer,
    document,
    said: Object.fromEntries(rows) as Record<string, string>,
    main: squeeze(document.querySelector('main')?.textContent),
  };
}

/** Starts a payment as the page does, and opens it at the provider. Returns its reference. */
async function startPayment(learner: TestLearner, prepaId: number): Promise<string> {
  const started = await call(app, { method: 'POST', url: '/api/payment/start', payload: { prepaId }, session: learner.session });
  const { reference, widget } = started.json();
  await simulator.control.register(widget.options);
  return reference;
}

/** Presses 'Vérifier ce paiement'. Returns the redirect, and the messages of the next page. */
async function verify(learner: TestLearner, reference: string, query = '') {
  const answer = await submit(app, `/user/paiements/${reference}/verifier${query}`, {}, learner.session);
  const flash = answer.cookies.find(({ name }) => name === 'flash')?.value;
  const { document } = parseHTML((await visit(app, '/user/paiements', `${learner.session}; flash=${flash}`)).body);
  const toasts = [...document.querySelectorAll('.toast')].map((toast) => [toast.className, squeeze(toast.textContent)]);
  return { answer, location: answer.headers.location, toasts };
}

t.test('no payments yet: a message, with a link to the prepas', async (t) => {
  const { answer, main, cards } = await list(await createLearner(home));
  t.equal(answer.statusCode, 200);
  t.match(main, 'Aucun paiement pour le moment.');
  t.same(cards, []);
});

t.test('each state in words, with the next step and the possible actions', async (t) => {
  const debited = 'Si votre compte a tout de même été débité, donnez la référence au support.';
  const once = "Ne payez pas une deuxième fois : votre accès s'ouvrira dès la confirmation.";
  const asking = 'Nous interrogeons le prestataire ; prochaine vérification';
  const cases: [PaymentStatus, string | null, string, string, 'verify' | 'receipt' | null][] = [
    ['created', '2026-11-21T13:05:00Z', 'En attente de confirmation', `${asking} vers 14:05. ${once}`, 'verify'],
    ['pending', '2026-11-21T12:49:00Z', 'En attente de confirmation', `${asking} dans un instant. ${once}`, 'verify'],
    ['pending', '2026-11-22T13:05:00Z', 'En attente de confirmation', `${asking} le 22 novembre 2026 à 14:05. ${once}`, 'verify'],
    ['succeeded', '2026-11-22T12:50:00Z', 'Payé', "Ce paiement a ouvert 30 jours d'accès.", 'receipt'],
    ['failed', '2026-11-21T13:05:00Z', 'Échoué', `Ce paiement n'a pas abouti. ${debited} Par prudence, nous revérifions vers 14:05.`, null],
    ['failed', null, 'Échoué', `Ce paiement n'a pas abouti. ${debited}`, null],
    ['cancelled', null, 'Annulé', `Ce paiement a été annulé avant d'être confirmé. ${debited}`, null],
    ['expired', null, 'Expiré', `Ce paiement n'a pas été validé à temps. ${debited}`, null],
    ['refunded', null, 'Remboursé', "Cette somme vous a été rendue, et les jours d'accès correspondants ont été repris.", 'receipt'],
    [
      'cancelled',
      '2026-11-21T13:05:00Z',
      'Annulé',
      `Ce paiement a été annulé avant d'être confirmé. ${debited} Par prudence, nous revérifions vers 14:05.`,
      null,
    ],
    [
      'review',
      null,
      "À l'examen par le support",
      'Le support examine ce paiement. Donnez-lui la référence pour aller plus vite.',
      'verify',
    ],
  ];
  const learner = await createLearner(home);
  const references: string[] = [];
  for (const [status, nextCheckAt] of cases) {
    const prepa = await createPrepa(home, { nom: 'ENS & "Sciences"', prix: 1_250_000 });
    const { id, reference } = await createPayment(home, learner, prepa, status);
    await sql(databaseUrl, 'update payment set next_check_at = $2 where id = $1', [id, nextCheckAt]);
    references.unshift(reference);
  }
  const { cards, main } = await list(learner);
  t.same(
    cards.map(({ reference }) => reference),
    references,
    'payments are listed newest first',
  );
  for (const [index, [status, , label, next, action]] of [...cases].reverse().entries()) {
    const card = cards[index];
    t.match(card?.text, 'ENS & "Sciences"');
    t.match(card?.text, '1 250 000 XAF, ZitoPay (carte, Mobile Money), le 21 novembre 2026 à 13:50');
    t.same({ badge: card?.badge, next: card?.next }, { badge: label, next }, status);
    t.equal(card?.verify, action === 'verify' ? `/user/paiements/${references[index]}/verifier` : null, status);
    t.equal(card?.receipt, action === 'receipt' ? `/user/paiements/${references[index]}` : null, status);
  }
  t.match(main, 'Donnez sa référence au support : aide@prepa.example ou +237 6 90 00 00 00.');
});

t.test('a refused payment says why, if the provider has told it', async (t) => {
  const learner = await createLearner(home);
  const { id } = await createPayment(home, learner, await createPrepa(home), 'failed');
  await sql(databaseUrl, `update payment set refusal = 'funds' where id = $1`, [id]);
  t.match(
    (await list(learner)).cards[0]?.next,
    /^Ce paiement n'a pas abouti : le solde de votre compte ne suffisait pas\. Si votre compte/,
  );
});

t.test('attempts at one enrolment are one card with its history; open and paid ones have a card each', async (t) => {
  const learner = await createLearner(home);
  const [ens, enam] = [await createPrepa(home, { nom: 'ENS' }), await createPrepa(home, { nom: 'ENAM' })];
  const begin = async (prepa: typeof ens, status: PaymentStatus) => (await createPayment(home, learner, prepa, status)).reference;
  const oldest = await begin(ens, 'failed');
  const open = await begin(ens, 'pending');
  const other = await begin(enam, 'cancelled');
  const [first, second, third] = [await begin(ens, 'failed'), await begin(ens, 'cancelled'), await begin(ens, 'expired')];
  const paid = await begin(ens, 'succeeded');
  const renewal = await begin(ens, 'failed');
  const { document, cards } = await list(learner);
  const history = [...document.querySelectorAll('.payment-card')].map((card) =>
    [...card.querySelectorAll('details .payment-reference')].map((reference) => reference.textContent),
  );
  t.same(
    cards.map(({ reference }, index) => [reference, history[index]]),
    [
      [renewal, []],
      [paid, [third, second, first]],
      [other, []],
      [open, [oldest]],
    ],
  );
  t.match(cards[1]?.text, /3 tentatives précédentes ?Expiré .* Annulé .* Échoué .*Ce paiement n'a pas abouti/);
  t.same(
    cards.map(({ verify }) => verify),
    [null, null, null, `/user/paiements/${open}/verifier`],
    'only the open attempt can be verified',
  );
});

t.test('an open payment would add days to a running access, and none for a deleted prepa', async (t) => {
  const learner = await createLearner(home);
  const [open, ended, gone] = [await createPrepa(home), await createPrepa(home), await createPrepa(home)];
  await createEnrolment(home, learner, open, 12);
  await createEnrolment(home, learner, ended, -1);
  const { id } = await createPayment(home, learner, open, 'pending');
  await createPayment(home, learner, ended, 'pending');
  await createPayment(home, learner, gone, 'pending');
  await sql(databaseUrl, 'delete from prepa where id = $1', [gone.id]);
  const next = async () => (await list(learner)).cards.map((card) => card.next);
  const added =
    "Vous avez déjà accès à cette préparation jusqu'au 3 décembre 2026 ; confirmé, ce paiement ajoute 30 jours, jusqu'au 2 janvier 2027.";
  t.same(await next(), [
    "Cette préparation n'existe plus. Si vous avez payé, contactez le support : vous serez remboursé.",
    "Ne payez pas une deuxième fois : votre accès s'ouvrira dès la confirmation.",
    added,
  ]);
  await sql(
    databaseUrl,
    `insert into payment_event (payment_id, type, actor, detail, at) values ($1, 'verification', 'reconciliation', '{"kind":"not_found"}', now())`,
    [id],
  );
  t.equal((await next())[2], `${added} Sans paiement, il expire de lui-même.`, 'no message suggests paying again for an open access');
});

t.test('abandoned before paying: an unconfirmed payment may be started again', async (t) => {
  const learner = await createLearner(home);
  const { id } = await createPayment(home, learner, await createPrepa(home), 'pending');
  const answer = (kind: string) =>
    sql(
      databaseUrl,
      `insert into payment_event (payment_id, type, actor, detail, at) values ($1, 'verification', 'reconciliation', $2, now())`,
      [id, JSON.stringify({ kind })],
    );
  const next = async () => (await list(learner)).cards[0]?.next;
  await answer('not_found');
  t.equal(await next(), 'Si vous avez validé ce paiement, ne payez pas une deuxième fois ; sinon, vous pouvez recommencer.');
  await answer('pending');
  t.equal(await next(), "Ne payez pas une deuxième fois : votre accès s'ouvrira dès la confirmation.");
});

t.test('21 payments: a page of 20, then the oldest, and no further page', async (t) => {
  const learner = await createLearner(home);
  const prepa = await createPrepa(home);
  const references: string[] = [];
  for (let index = 0; index < 20; index += 1) references.unshift((await createPayment(home, learner, prepa, 'succeeded')).reference);
  t.same((await list(learner)).pages, [], '20 payments need no second page');
  references.unshift((await createPayment(home, learner, prepa, 'succeeded')).reference);
  const first = await list(learner);
  t.same(
    first.cards.map(({ reference }) => reference),
    references.slice(0, 20),
  );
  t.same(first.pages, [`/user/paiements?avant=${references[19]}`]);
  const second = await list(learner, `?avant=${references[19]}`);
  t.same(
    second.cards.map(({ reference }) => reference),
    [references[20]],
  );
  t.same(second.pages, ['/user/paiements']);

  const stranger = await createLearner(home);
  const theirs = await createPayment(home, stranger, prepa, 'failed');
  for (const [who, before] of [
    [learner, references[20]],
    [stranger, references[0]],
    [learner, theirs.reference],
    [learner, 'ZP0'],
  ] as const) {
    const { answer } = await list(who, `?avant=${before}`);
    t.equal(answer.statusCode, 303, `before ${before}`);
    t.equal(answer.headers.location, '/user/paiements');
  }
  t.equal((await list(learner, '?avant=%27%3B--')).cards.length, 20, 'an invalid reference is ignored');
});

t.test('verify now: confirmed, with its receipt', async (t) => {
  const learner = await createLearner(home);
  const prepa = await createPrepa(home, { nom: 'ENAM' });
  const reference = await startPayment(learner, prepa.id);
  t.same((await verify(learner, reference)).toasts, [
    ['toast toast--info', "Le prestataire n'a pas encore confirmé ce paiement. Nous continuons de lui demander."],
  ]);
  await simulator.control.approve(reference);
  const { answer, location, toasts } = await verify(learner, reference, '?avant=ZP9');
  t.equal(answer.statusCode, 303);
  t.equal(location, '/user/paiements?avant=ZP9', 'the verification returns to the same page of the list');
  t.same(toasts, [['toast toast--success', 'Paiement réussi ! Votre inscription est confirmée.']]);

  const { cards } = await list(learner);
  t.match(cards[0], { badge: 'Payé', receipt: `/user/paiements/${reference}`, verify: null });
  const { said, main, document } = await receiptOf(learner, reference);
  t.same(said, {
    'Reçu n°': reference,
    'Date du paiement': '21 novembre 2026 à 13:50',
    Candidat: learner.username,
    Email: learner.email,
    Préparation: 'ENAM',
    Accès: '30 jours, du 21 novembre 2026 au 21 décembre 2026',
    Prestataire: 'ZitoPay (carte, Mobile Money)',
    Statut: 'Payé',
    'Montant payé': '15 000 XAF',
  });
  t.match(main, 'PrépaConcours');
  t.notMatch(main, /remboursé|TVA|NIU/i);
  t.ok(document.querySelector('button[data-behaviour="print"]')?.hasAttribute('hidden'), 'the print button is hidden without script');

  const renewed = await startPayment(learner, prepa.id);
  await simulator.control.approve(renewed);
  await verify(learner, renewed);
  t.equal(
    (await receiptOf(learner, renewed)).said.Accès,
    '30 jours, du 21 décembre 2026 au 20 janvier 2027',
    'the days of a renewal follow the running days',
  );
});

t.test('refunded, a part and then the rest: list and receipt show it with the date', async (t) => {
  const learner = await createLearner(home);
  const reference = await startPayment(learner, (await createPrepa(home)).id);
  await simulator.control.approve(reference);
  await verify(learner, reference);
  const refund = { payment: reference, decision: 'refund', reason: 'double' } as const;
  await decidePayment(kernel.fork(), kernel.context, { ...refund, amount: 1500 }, terminal);
  t.match((await list(learner)).cards[0]?.next, "Ce paiement a ouvert 30 jours d'accès. 1 500 XAF vous ont été rendus depuis.");
  const part = await receiptOf(learner, reference);
  t.match(part.said, { Statut: 'Payé', 'Montant payé': '15 000 XAF', 'Dont rendu depuis': '1 500 XAF', Accès: /^30 jours/ });
  t.notMatch(part.main, 'Ce paiement a été remboursé');
  clock.advance(24 * 3_600_000);
  t.teardown(() => clock.advance(-24 * 3_600_000));
  await decidePayment(kernel.fork(), kernel.context, refund, terminal);
  const { said, main } = await receiptOf(learner, reference);
  t.match(said, { Statut: 'Remboursé', 'Date du paiement': '21 novembre 2026 à 13:50', 'Montant payé': '15 000 XAF' });
  t.notOk('Accès' in said, 'the receipt of a refunded payment shows no period');
  t.match(main, 'Ce paiement a été remboursé le 22 novembre 2026 à 13:50.');
  t.same((await verify(learner, reference)).toasts, [['toast toast--info', 'Ce paiement a été remboursé.']]);
});

t.test('verify now: declined, under review, no answer', async (t) => {
  const learner = await createLearner(home);
  const prepa = await createPrepa(home);
  const declined = await startPayment(learner, prepa.id);
  await simulator.control.decline(declined);
  t.same((await verify(learner, declined)).toasts, [['toast toast--error', 'Paiement échoué ou annulé']]);

  const mismatched = await startPayment(learner, (await createPrepa(home)).id);
  await sql(databaseUrl, `update payment set status = 'review' where reference = $1`, [mismatched]);
  t.same((await verify(learner, mismatched)).toasts, [
    ['toast toast--info', 'Ce paiement est examiné par le support. Donnez-lui sa référence.'],
  ]);

  const silent = await startPayment(learner, (await createPrepa(home)).id);
  await simulator.control.setKnobs({ verifyFaults: [{ kind: 'http500', times: null }] }, silent);
  t.same((await verify(learner, silent)).toasts, [
    ['toast toast--warning', 'Le prestataire ne répond pas pour le moment. Nous continuons de lui demander : rien ne sera perdu.'],
  ]);
});

t.test("no receipt for another learner's payment, an unpaid one or an invalid reference", async (t) => {
  const [learner, stranger] = [await createLearner(home), await createLearner(home)];
  const prepa = await createPrepa(home);
  const { reference } = await createPayment(home, learner, prepa, 'succeeded');
  t.equal((await receiptOf(learner, reference)).answer.statusCode, 200);
  t.equal((await receiptOf(stranger, reference)).answer.statusCode, 404);
  t.equal((await submit(app, `/user/paiements/${reference}/verifier`, {}, stranger.session)).statusCode, 404);
  for (const status of ['created', 'pending', 'failed', 'cancelled', 'expired', 'review'] as const) {
    const unpaid = await createPayment(home, learner, prepa, status);
    t.equal((await receiptOf(learner, unpaid.reference)).answer.statusCode, 404, status);
  }
  t.equal((await receiptOf(learner, '%3Cscript%3E')).answer.statusCode, 404);
});

t.test('verifications by a learner are limited, and the 429 gives the time to wait', async (t) => {
  const learner = await createLearner(home);
  const { reference } = await createPayment(home, learner, await createPrepa(home), 'succeeded');
  let asked = 0;
  let answer = await submit(app, `/user/paiements/${reference}/verifier`, {}, learner.session);
  for (; answer.statusCode === 303 && asked < 1_000; asked += 1)
    answer = await submit(app, `/user/paiements/${reference}/verifier`, {}, learner.session);
  t.equal(answer.statusCode, 429);
  t.ok(asked >= 200, `after ${asked}`);
  t.ok(answer.headers['retry-after']);
});
