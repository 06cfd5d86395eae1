import t, { type Test } from 'tap';
import { call } from '../../../../test/support/app.ts';
import { createLearner, createPrepa } from '../../../../test/support/factories.ts';
import { openNotchpay } from '../../../../test/support/provider-apps.ts';
import { sql } from '../../../../test/support/sql.ts';
import { dayIn } from '../../../shared/dates.ts';
import { type Actor, terminal } from '../../identity/index.ts';
import { paymentTotals, showPayment } from '../../support/index.ts';
import { paymentHealth } from '../reconciliation/alerts.ts';
import { decidePayment, type PaymentDecision } from './decision.service.ts';
import { settlePayment } from './settle.service.ts';

const day = 24 * 3_600_000;

/** Opens a learner who pays 5,000 XAF at Notch Pay, whose webhooks are lost. */
async function openShop(t: Test) {
  const home = await openNotchpay(t);
  const { app, kernel, clock, databaseUrl, notchpay } = home;
  const [learner, prepa] = await Promise.all([createLearner(home), createPrepa(home, { prix: 5000 })]);
  const started = await call(app, { method: 'POST', url: '/api/payment/start', session: learner.session, payload: { prepaId: prepa.id } });
  const { reference } = started.json() as { reference: string };
  const told: { alert?: string }[] = [];
  const log = { ...kernel.context.log, warn: (line: object) => told.push(line) } as typeof kernel.context.log;
  const context = { ...kernel.context, log };
  const first = async <Row extends object>(query: string) => (await sql<Row>(databaseUrl, query))[0];
  return {
    reference,
    clock,
    kernel,
    databaseUrl,
    learner,
    told,
    control: notchpay.control,
    approve: () => notchpay.control.approve(reference),
    giveBack: (amount?: number) => notchpay.control.refund(reference, amount),
    ask: () => settlePayment(kernel.fork(), context, kernel.providers, reference, 'reconciliation'),
    decide: (decision: PaymentDecision, amount?: number, actor: Actor = terminal) =>
      decidePayment(kernel.fork(), context, { payment: reference, decision, reason: 'demande du candidat', amount }, actor),
    access: () => first<{ statut: string; end: Date }>('select statut, date_expiration as end from enrolment'),
    days: async () => (await sql<{ days: number }>(databaseUrl, 'select days from enrolment_extension order by id')).map((row) => row.days),
    books: async () => {
      const { received, receivedAmount, refunded, refundedAmount } = (
        await paymentTotals(kernel.fork(), { du: '1970-01-01', au: dayIn(clock.now()) })
      ).total;
      return [received, receivedAmount, refunded, refundedAmount];
    },
    waiting: async () => (await paymentHealth(kernel.fork(), clock.now())).partlyRefunded,
    story: () => showPayment(kernel.fork(), reference),
    messages: () => sql<{ message: string }>(databaseUrl, 'select message from notification order by id'),
  };
}

t.test('500 of 5,000 refunded: the part is booked, access stays, and administrators are alerted', async (t) => {
  const { approve, ask, giveBack, access, days, books, waiting, told, clock, decide, messages, story } = await openShop(t);
  await approve();
  await ask();
  const end = new Date(clock.now().getTime() + 30 * day);
  clock.advance(day);
  await giveBack(500);
  t.match(await ask(), { status: 'success', payment: { status: 'succeeded' } });
  t.same(await access(), { statut: 'active', end });
  t.same(await days(), [30]);
  t.same(await books(), [1, 5000, 1, 500]);
  t.equal(await waiting(), 1);
  t.match(told, [{ alert: 'partial-refund', returned: 500 }]);
  t.match((await messages()).at(-1)?.message, /500 XAF vous ont été rendus. Vos jours d'accès ne changent pas/);
  await ask();
  t.same([await books(), told.length], [[1, 5000, 1, 500], 1], 'the same answer again changes nothing');
  await decide('acknowledge');
  t.equal(await waiting(), 0);
  await ask();
  t.equal(await waiting(), 0, 'an acknowledged refund causes no further alert');
  await t.rejects(decide('acknowledge'), { status: 409, message: "Ce paiement n'a pas de remboursement partiel à regarder." });
  t.match(await story(), { status: 'succeeded', refundedAmount: 500, needsLook: false });
});

t.test('cancelled locally, then paid and 500 refunded before our check: access opens, and administrators are alerted', async (t) => {
  for (const word of ['partialy-refunded', 'partially-refunded', 'refunded'] as const) {
    const { control, reference, approve, ask, giveBack, access, days, books, waiting, told, story } = await openShop(t);
    await control.setKnobs({ partWord: word }, reference);
    await control.cancel(reference);
    t.match(await ask(), { payment: { status: 'cancelled' } }, word);
    await approve();
    await giveBack(500);
    t.match(await ask(), { status: 'success', payment: { status: 'succeeded', providerTransactionId: /^trx\./ } }, word);
    t.match(await access(), { statut: 'active' });
    t.same(await days(), [30]);
    t.same(await books(), [1, 5000, 1, 500]);
    t.equal(await waiting(), 1);
    t.match(told.at(-1), { alert: 'partial-refund' });
    const steps = ((await story())?.events ?? []).map(({ type, toStatus, returned }) => [type, toStatus, returned]);
    t.same(steps.slice(-3), [
      ['verification', null, null],
      ['transition', 'succeeded', null],
      ['refund', null, 500],
    ]);
  }
});

t.test('several partial refunds that add up to the full amount end the access, and each is booked on its day', async (t) => {
  const { approve, ask, giveBack, access, days, books, waiting, clock, story, kernel } = await openShop(t);
  await approve();
  await ask();
  const from = clock.now();
  for (const part of [500, 1500]) {
    clock.advance(day);
    await giveBack(part);
    await ask();
  }
  t.same(await books(), [1, 5000, 2, 2000]);
  clock.advance(day);
  await giveBack(3000);
  t.match(await ask(), { payment: { status: 'refunded', refundedAmount: 5000, nextCheckAt: null } });
  t.match(await access(), { statut: 'expired', end: clock.now() });
  t.same(await days(), [30, -30]);
  t.same(await books(), [1, 5000, 3, 5000]);
  t.equal(await waiting(), 0, 'no payment waits for a decision');
  t.same(
    ((await story())?.events ?? []).flatMap(({ returned }) => returned ?? []),
    [500, 1500, 3000],
  );
  const { days: daily } = await paymentTotals(kernel.fork(), { du: dayIn(from), au: dayIn(clock.now()) });
  t.same(
    daily.map(({ refundedAmount }) => refundedAmount),
    [0, 500, 1500, 3000],
  );
});

t.test('a partial refund without amount: nothing is booked, access stays, an administrator clarifies it', async (t) => {
  const { control, reference, approve, ask, giveBack, access, books, waiting, decide } = await openShop(t);
  await control.setKnobs({ returnedField: 'none' }, reference);
  await approve();
  await ask();
  await giveBack(500);
  await ask();
  t.same([await books(), await waiting()], [[1, 5000, 0, 0], 1]);
  await decide('refund', 500);
  t.same([await books(), await waiting()], [[1, 5000, 1, 500], 0]);
  await ask();
  t.same([await books(), await waiting()], [[1, 5000, 1, 500], 0], 'the same answer changes nothing');
  t.match(await access(), { statut: 'active' });
});

t.test("the provider reports a total: it includes an operator's entries, and a smaller total changes nothing", async (t) => {
  const { control, reference, approve, ask, giveBack, books, decide, databaseUrl } = await openShop(t);
  await approve();
  await ask();
  await decide('refund', 700);
  await giveBack(500);
  await ask();
  t.same(await books(), [1, 5000, 1, 700]);
  await giveBack(500);
  await ask();
  t.same(await books(), [1, 5000, 2, 1000]);
  await control.setKnobs({ statusWord: 'complete' }, reference);
  await ask();
  t.same(await books(), [1, 5000, 2, 1000]);
  await t.rejects(sql(databaseUrl, 'update payment set refunded_amount = 999'), /append-only/, 'the database refuses a decreased amount');
  await t.rejects(sql(databaseUrl, 'update payment set refunded_amount = 5001'), /payment_refunded_amount_within/);
});

t.test('an operator records parts, never more than is left', async (t) => {
  const { approve, ask, access, days, books, decide, databaseUrl } = await openShop(t);
  await t.rejects(decide('refund', 500), { status: 409, message: /Seul un paiement réussi/ });
  await approve();
  await ask();
  for (const amount of [0, -1, 5001, 1.5, Number.NaN])
    await t.rejects(decide('refund', amount), {
      status: 400,
      message: 'Le montant rendu doit être un nombre entier de 1 à 5000 : 5 000 XAF au plus peuvent encore être rendus.',
    });
  t.match(await decide('refund', 500), { status: 'succeeded', refundedAmount: 500 });
  t.match(await access(), { statut: 'active' });
  await t.rejects(decide('refund', 4501), { status: 400, message: /de 1 à 4500/ });
  const both = await Promise.allSettled([decide('refund', 3000), decide('refund', 3000)]);
  t.same(both.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'], 'two concurrent refunds never exceed the amount');
  t.match(await decide('refund'), { status: 'refunded', refundedAmount: 5000 }, 'a refund without an amount refunds the rest');
  t.same(await days(), [30, -30]);
  t.same(await books(), [1, 5000, 3, 5000]);
  t.match(
    await sql(
      databaseUrl,
      `select after->>'rendu' as back, after->>'etat' as state from audit_entry where action = 'refunded' order by id`,
    ),
    [
      { back: '500', state: 'succeeded' },
      { back: '3000', state: 'succeeded' },
      { back: '1500', state: 'refunded' },
    ],
  );
});

t.test('a payment under review is refunded entirely or not at all', async (t) => {
  const { control, reference, approve, giveBack, ask, books, decide } = await openShop(t);
  await control.setKnobs({ tamperedAmount: 4000 }, reference);
  await approve();
  await giveBack(500);
  t.match(await ask(), { payment: { status: 'review' } }, 'a partial refund of another amount opens no access');
  await t.rejects(decide('refund', 500), { status: 409, message: /se rembourse en entier ou pas du tout/ });
  t.match(await decide('refund'), { status: 'refunded' });
  t.same(await books(), [0, 0, 0, 0], 'no income and no refund are booked');
});
