import t, { type Test } from 'tap';
import { TestClock } from '../../../../test/support/app.ts';
import { createTestDatabase } from '../../../../test/support/database.ts';
import { createLearner, createPayment, createPrepa } from '../../../../test/support/factories.ts';
import { sql } from '../../../../test/support/sql.ts';
import { loadConfig } from '../../../config.ts';
import { createKernel } from '../../../kernel.ts';
import { dayIn } from '../../../shared/dates.ts';
import { terminal } from '../../identity/index.ts';
import { paymentTotals } from '../../support/index.ts';
import type { Verification } from '../contract/provider.ts';
import { type PaymentDecision, reconcilePayments, settlePayment } from '../index.ts';
import type { PaymentStatus } from '../ledger/payment.entity.ts';
import { providersOf } from '../providers/provider.registry.ts';
import { decidePayment } from './decision.service.ts';

const day = 24 * 3_600_000;
const { url: databaseUrl } = await createTestDatabase(t);
const clock = new TestClock(new Date('2026-11-21T08:30:00Z'));

/** Opens a learner, a prepa, and a provider that gives the test's answers and reports refunds. */
async function openDesk(t: Test) {
  const kernel = await createKernel(loadConfig({ NODE_ENV: 'test', LOG_LEVEL: 'silent' }), { databaseUrl, clock });
  t.teardown(() => kernel.close());
  const home = { kernel, clock };
  const learner = await createLearner(home);
  const prepa = await createPrepa(home);
  let says: Verification = { kind: 'pending', raw: {} };
  let asked = 0;
  const verify = async () => {
    asked += 1;
    return says;
  };
  const providers = providersOf([{ ...kernel.providers.default, reportsRefunds: true, verify }]);
  const paid: Verification = { kind: 'succeeded', amount: prepa.prix, currency: 'XAF', payerPhone: '+237 6 70 00 12 34', raw: {} };
  return {
    kernel,
    learner,
    prepa,
    providers,
    paid,
    asked: () => asked,
    say: (answer: Verification) => {
      says = answer;
    },
    open: (status: PaymentStatus = 'pending') => createPayment(home, learner, prepa, status),
    settle: (reference: string, actor: 'learner' | 'operator' | 'provider-notification' = 'learner') =>
      settlePayment(kernel.fork(), kernel.context, providers, reference, actor),
    reconcile: () => reconcilePayments(kernel.fork(), kernel.context, providers),
    decide: (reference: string, decision: PaymentDecision, reason = 'demande du candidat') =>
      decidePayment(kernel.fork(), kernel.context, { payment: reference, decision, reason }, terminal),
    days: () =>
      sql(
        databaseUrl,
        `select x.days, x.source, x.reason, x.operator, x.reverses_id is not null as reverses from enrolment_extension x
         join enrolment e on e.id = x.enrolment_id where e.user_id = $1 order by x.id`,
        [learner.id],
      ),
    end: async () =>
      (
        await sql<{ statut: string; date_expiration: Date }>(
          databaseUrl,
          'select statut, date_expiration from enrolment where user_id = $1',
          [learner.id],
        )
      )[0],
    story: (reference: string) =>
      sql(
        databaseUrl,
        `select v.type, v.actor, v.operator, v.from_status, v.to_status, v.detail->>'reason' as reason from payment_event v
         join payment p on p.id = v.payment_id where p.reference = $1 order by v.id`,
        [reference],
      ),
    messages: () => sql<{ message: string }>(databaseUrl, 'select message from notification where user_id = $1 order by id', [learner.id]),
  };
}

// This test runs first: later the clock has advanced, and other tests' payments would be due too.
t.test('a refund at the provider is found by a scheduled check', async (t) => {
  const { open, settle, say, paid, reconcile, asked, end, story } = await openDesk(t);
  const payment = await open();
  say(paid);
  await settle(payment.reference);
  t.match(await settle(payment.reference), { answer: null }, "a learner's request does not check for refunds");
  t.equal(asked(), 1);
  const ages: number[] = [];
  for (let passed = 0; passed <= 20; passed += 1) {
    if ((await reconcile()).checked > 0) ages.push(passed);
    clock.advance(day);
  }
  t.same(ages, [1, 3, 7, 14]);
  say({ kind: 'refunded', reason: 'rendu par le prestataire', raw: {} });
  t.match(await settle(payment.reference, 'provider-notification'), { payment: { status: 'refunded', nextCheckAt: null } });
  t.match(await end(), { statut: 'expired' });
  t.match((await story(payment.reference)).at(-1), {
    type: 'transition',
    actor: 'provider-notification',
    from_status: 'succeeded',
    to_status: 'refunded',
  });
  t.equal((await reconcile()).checked, 0);
});

t.test('a refund reverses the 30 days of its payment once, with its reason', async (t) => {
  const { open, settle, say, paid, decide, days, end, story, messages, kernel } = await openDesk(t);
  const payment = await open();
  say(paid);
  await settle(payment.reference);
  t.same(await end(), { statut: 'active', date_expiration: new Date(clock.now().getTime() + 30 * day) });

  clock.advance(5 * day);
  const refunds = await Promise.allSettled(Array.from({ length: 5 }, () => decide(payment.reference, 'refund', 'payé deux fois')));
  t.equal(refunds.filter(({ status }) => status === 'fulfilled').length, 1, 'one of five concurrent refunds succeeds');
  t.match(
    refunds.find(({ status }) => status === 'rejected'),
    { reason: { status: 409, message: "Seul un paiement réussi ou à l'examen peut être remboursé." } },
  );
  t.same(await days(), [
    { days: 30, source: 'payment', reason: null, operator: null, reverses: false },
    { days: -30, source: 'refund', reason: 'payé deux fois', operator: 'terminal', reverses: true },
  ]);
  t.same(await end(), { statut: 'expired', date_expiration: clock.now() }, 'the access ends with the refund');
  t.same((await story(payment.reference)).at(-1), {
    type: 'decision',
    actor: 'operator',
    operator: 'terminal',
    from_status: 'succeeded',
    to_status: 'refunded',
    reason: 'payé deux fois',
  });
  t.match((await messages()).at(-1)?.message, /a été remboursé : votre accès est terminé/);
  t.match(
    await sql(databaseUrl, `select action, actor, after->>'reason' as reason from audit_entry where subject = 'payment' and label = $1`, [
      payment.reference,
    ]),
    [{ action: 'refunded', actor: 'terminal', reason: 'payé deux fois' }],
  );
  t.match(await settle(payment.reference), { status: 'failed', answer: null }, 'a refunded payment stays refunded');
  t.equal(kernel.providers.default.reportsRefunds, false);
});

t.test('a renewed access keeps the days of the other payment', async (t) => {
  const { open, settle, say, paid, decide, end } = await openDesk(t);
  const first = await open();
  say(paid);
  await settle(first.reference);
  const start = clock.now();
  clock.advance(20 * day);
  const second = await open();
  await settle(second.reference);
  t.same((await end())?.date_expiration, new Date(start.getTime() + 60 * day));
  clock.advance(5 * day);
  await decide(first.reference, 'refund');
  t.same(await end(), { statut: 'active', date_expiration: new Date(start.getTime() + 30 * day) });
});

t.test('days of a past period are not taken from the next one', async (t) => {
  const { open, settle, say, paid, decide, end, days } = await openDesk(t);
  const first = await open();
  say(paid);
  await settle(first.reference);
  clock.advance(40 * day);
  const second = await open();
  await settle(second.reference);
  const until = (await end())?.date_expiration;
  await decide(first.reference, 'refund');
  t.same(await end(), { statut: 'active', date_expiration: until });
  t.match((await days()).at(-1), { days: 0, source: 'refund', reverses: true }, 'the refund is recorded with 0 days');
});

t.test('a succeeded payment leaves the schedule when its provider no longer reports refunds', async (t) => {
  const { open, settle, say, paid, kernel } = await openDesk(t);
  const { id, reference } = await open();
  say(paid);
  await settle(reference);
  await settlePayment(kernel.fork(), kernel.context, kernel.providers, reference, 'reconciliation');
  t.same(await sql(databaseUrl, 'select status, next_check_at from payment where id = $1', [id]), [
    { status: 'succeeded', next_check_at: null },
  ]);
});

t.test('other answers about a succeeded payment are ignored', async (t) => {
  const { open, settle, say, paid, days } = await openDesk(t);
  const payment = await open();
  say(paid);
  await settle(payment.reference);
  for (const kind of ['failed', 'cancelled', 'expired', 'pending', 'not_found', 'mismatch'] as const) {
    say({ kind, raw: {} });
    t.match(await settle(payment.reference, 'operator'), { status: 'success', answer: kind });
  }
  say(paid);
  await settle(payment.reference, 'operator');
  t.equal((await days()).length, 1);
});

t.test('a review, and its closing', async (t) => {
  const { open, decide, settle, say, paid, story } = await openDesk(t);
  const { reference } = await open();
  await t.rejects(decide(reference, 'close'), { message: "Seul un paiement à l'examen peut être classé." });
  await decide(reference, 'review', 'montant douteux');
  await t.rejects(decide(reference, 'review'), { status: 409, message: "Ce paiement est déjà à l'examen." });
  await decide(reference, 'close', "aucun versement trouvé sur l'extrait");
  t.match(await story(reference), [
    { from_status: 'pending', to_status: 'review', reason: 'montant douteux' },
    { from_status: 'review', to_status: 'failed', reason: "aucun versement trouvé sur l'extrait" },
  ]);
  say(paid);
  t.match(await settle(reference, 'operator'), { status: 'success' }, 'a late success overrides the closing');
  await t.rejects(decide(reference, 'review'), {
    message: "Ce paiement a déjà une issue définitive : il ne peut plus être mis à l'examen.",
  });
  await t.rejects(decide('ZP0', 'refund'), { message: "Ce paiement n'existe pas." });
});

t.test('a payment under review is still checked: a late success opens the access', async (t) => {
  const { open, decide, reconcile, say, paid, days } = await openDesk(t);
  const { reference } = await open();
  const due = new Date(clock.now().getTime() + 30_000);
  await sql(databaseUrl, 'update payment set next_check_at = $2 where reference = $1', [reference, due]);
  t.same((await decide(reference, 'review')).nextCheckAt, due);
  say(paid);
  clock.advance(60_000);
  await reconcile();
  t.match(await days(), [{ days: 30, source: 'payment' }]);
});

t.test('refunding a payment under review reverses no days and books no income', async (t) => {
  const { open, decide, settle, say, paid, days, prepa, kernel } = await openDesk(t);
  const { reference } = await open();
  say({ kind: 'mismatch', raw: {} });
  t.match(await settle(reference), { payment: { status: 'review' } });
  t.match(await decide(reference, 'refund', 'montant inexact, rendu'), { status: 'refunded', settledAt: null, nextCheckAt: null });
  t.same(await days(), []);
  say(paid);
  t.match(await settle(reference, 'operator'), { status: 'failed', answer: null });
  const yesterday = new Date(clock.now().getTime() - day);
  const { prepas } = await paymentTotals(kernel.fork(), { du: dayIn(yesterday), au: dayIn(clock.now()) });
  t.same(
    prepas.filter(({ prepaId }) => prepaId === prepa.id),
    [],
  );
});

t.test("only the last four digits of the payer's telephone are stored", async (t) => {
  const { open, settle, say, paid } = await openDesk(t);
  const { id, reference } = await open();
  say(paid);
  await settle(reference);
  t.same(await sql(databaseUrl, 'select payer_phone_last from payment where id = $1', [id]), [{ payer_phone_last: '1234' }]);
});

t.test('the history of days is append-only', async (t) => {
  await t.rejects(sql(databaseUrl, 'update enrolment_extension set days = 60'), /append-only/);
  await t.rejects(sql(databaseUrl, 'delete from enrolment_extension'), /append-only/);
  await t.rejects(sql(databaseUrl, 'update payment_event set detail = null'), /append-only/);
});
