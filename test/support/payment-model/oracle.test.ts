import { randomUUID } from 'node:crypto';
import t from 'tap';
import { createTestDatabase } from '../database.ts';
import { sql } from '../sql.ts';
import { booksOf, type Deeds, judge, type LedgerLine, type Stage, summary } from './oracle.ts';
import { type StoryEvent, storyFaults } from './story.ts';

// Tests the oracle itself: it must find each planted fault.

const { url } = await createTestDatabase(t);
// Dropped, so that the tests can insert two extensions of one payment.
await sql(url, 'alter table enrolment_extension drop constraint enrolment_extension_payment_unique');
const [prepa] = await sql<{ id: number }>(
  url,
  `insert into prepa (nom, description, prix, created_at, updated_at) values ('ENAM', 'Concours', 15000, now(), now()) returning id`,
);

const ledger: LedgerLine[] = [];
const started = new Set<string>();

type Event = Partial<StoryEvent> & { type: string };
const created: Event = { type: 'created', actor: 'learner', to: 'created' };
const opened: Event = { type: 'transition', actor: 'learner', from: 'created', to: 'pending' };
const said = (kind: string, paid = 15_000): Event => ({ type: 'verification', actor: 'reconciliation', kind, paid, paidCurrency: 'XAF' });
const moved = (from: string, to: string, returned: number | null = to === 'refunded' ? 15_000 : null): Event => ({
  type: 'transition',
  actor: 'reconciliation',
  from,
  to,
  returned,
});
const gaveBack = (returned: number): Event => ({ type: 'refund', actor: 'reconciliation', returned });
const decided = (from: string, to: string): Event => ({
  type: 'decision',
  actor: 'operator',
  operator: 'terminal',
  from,
  to,
  returned: to === 'refunded' ? 15_000 : null,
  reason: 'essai',
});
const success = [created, opened, said('succeeded'), moved('pending', 'succeeded')];

interface Life {
  /** Last status in the ledger; undefined when the payer never reached the provider. */
  ledgerStatus?: string;
  amount?: number;
  status: string;
  story: Event[];
  extensions?: number;
  takenBack?: boolean;
  needsLook?: boolean;
}

/** Returns the amount that the provider keeps, in XAF; a partial refund is 500 XAF. */
const keptOf = (status: string | undefined, amount: number) =>
  status === 'COMPLETED' ? amount : status === 'partialy-refunded' ? amount - 500 : 0;

/** Inserts a learner with a single payment. */
async function live(
  reference: string,
  { ledgerStatus, amount = 15_000, status, story, extensions = 0, takenBack = false, needsLook = false }: Life,
): Promise<void> {
  const kept = keptOf(ledgerStatus, amount);
  if (ledgerStatus) ledger.push({ provider: 'zitopay', ref: reference, status: ledgerStatus, amount, currency: 'XAF', kept });
  started.add(reference);
  const user = randomUUID();
  await sql(url, `insert into app_user (id, username, email, password_hash, created_at) values ($1, $2, $3, 'unusable', now())`, [
    ...[user, reference, `${reference}@gmail.com`],
  ]);
  const [payment] = await sql<{ id: number }>(
    url,
    `insert into payment (provider, reference, user_id, prepa_id, prepa_nom, amount, status, refunded_amount, needs_look, settled_at, created_at, updated_at)
     values ('zitopay', $1, $2, $3, 'ENAM', 15000, $4, $5, $6, case when $4 in ('succeeded', 'refunded') then now() end, now(), now()) returning id`,
    [reference, user, prepa?.id, status, story.reduce((sum, { returned }) => sum + (returned ?? 0), 0), needsLook],
  );
  for (const { type, actor, operator, from, to, returned, kind, paid, paidCurrency, reason } of story) {
    const detail = { kind, amount: paid, currency: paidCurrency, reason };
    await sql(
      url,
      `insert into payment_event (payment_id, type, actor, operator, from_status, to_status, returned, detail, at) values ($1, $2, $3, $4, $5, $6, $7, $8, now())`,
      [payment?.id, type, actor, operator, from, to, returned, JSON.stringify(detail)],
    );
  }
  if (extensions === 0) return;
  const [enrolment] = await sql<{ id: number }>(
    url,
    `insert into enrolment (user_id, prepa_id, prepa_nom, statut, date_inscription, date_expiration)
     values ($1, $2, 'ENAM', 'active', '2026-01-01', timestamptz '2026-01-01' + $3 * interval '720 hours') returning id`,
    [user, prepa?.id, takenBack ? 0 : extensions],
  );
  const extend = `insert into enrolment_extension (enrolment_id, payment_id, reverses_id, days, source, expires_before, expires_after, created_at)`;
  for (let index = 0; index < extensions; index += 1) {
    await sql(
      url,
      `${extend} values ($1, $2, null, 30, 'payment', case when $3 > 0 then timestamptz '2026-01-01' + $3 * interval '720 hours' end,
        timestamptz '2026-01-01' + ($3 + 1) * interval '720 hours', '2026-01-01')`,
      [enrolment?.id, payment?.id, index],
    );
  }
  if (!takenBack) return;
  await sql(
    url,
    `${extend} select enrolment_id, null, id, -30, 'refund', expires_after, '2026-01-01', '2026-01-01' from enrolment_extension where payment_id = $1`,
    [payment?.id],
  );
}

const verdictOf = (stage: Stage, deeds: Partial<Deeds> = {}) =>
  judge(url, { ledger, started, tampered: new Set(), decisions: [], ...deeds }, stage);

await live('PAID', { ledgerStatus: 'COMPLETED', status: 'succeeded', story: success, extensions: 1 });
await live('LATE', {
  ledgerStatus: 'COMPLETED',
  status: 'succeeded',
  extensions: 1,
  story: [created, opened, said('failed'), moved('pending', 'failed'), said('succeeded'), moved('failed', 'succeeded')],
});
await live('REFUSED', { ledgerStatus: 'FAILED', status: 'failed', story: [created, opened, said('failed'), moved('pending', 'failed')] });
await live('LEFT', { status: 'pending', story: [created, opened] });
await live('RETURNED', {
  ledgerStatus: 'refunded',
  status: 'refunded',
  extensions: 1,
  takenBack: true,
  story: [...success, said('refunded'), moved('succeeded', 'refunded')],
});
await live('PARTLY', {
  ledgerStatus: 'partialy-refunded',
  status: 'succeeded',
  extensions: 1,
  needsLook: true,
  story: [...success, said('partly_refunded'), gaveBack(500)],
});
await live('UNDERPAID', {
  ledgerStatus: 'COMPLETED',
  amount: 14_000,
  status: 'review',
  story: [created, opened, said('mismatch'), moved('pending', 'review')],
});

t.test('finds no fault in consistent data', async (t) => {
  const verdict = await verdictOf('settled');
  t.same(verdict, { lost: [], double: [], wrong: [] });
  t.equal(summary([verdict, verdict]), 'lost 0, double 0, wrong 0');
});

t.test('finds payments that differ from the ledger', async (t) => {
  const said = (ref: string, status: string, kept = keptOf(status, 15_000)): LedgerLine => ({
    provider: 'zitopay',
    ref,
    status,
    amount: 15_000,
    currency: 'XAF',
    kept,
  });
  const changed = async (line: LedgerLine, stage: Stage = 'settled', deeds: Partial<Deeds> = {}) =>
    verdictOf(stage, { ledger: [...ledger, line], ...deeds });
  t.match(await changed(said('REFUSED', 'COMPLETED')), { lost: [/^REFUSED .*no days were opened/], wrong: [] });
  t.match(await changed(said('LEFT', 'COMPLETED')), { lost: [/^LEFT/] });
  t.match(
    await changed(said('NOWHERE', 'COMPLETED')),
    { lost: [/^NOWHERE \(unknown here\)/] },
    'paid at the provider, but missing in the database',
  );
  t.match(await verdictOf('settled', { started: new Set(['GONE']) }), { lost: [/^GONE: started, but missing in the database/] });
  t.match(await changed(said('PAID', 'FAILED')), { lost: [], wrong: [/^PAID .*opened without a payment/] });
  t.match(await changed(said('PAID', 'refunded')), { wrong: [/^PAID .*the extension was not reversed/] });
  t.same((await changed(said('PAID', 'refunded'), 'verified')).wrong, [], 'no fault before the refund check is due');
  t.match(await changed(said('RETURNED', 'COMPLETED')), { wrong: [/^RETURNED .*reversed without a refund/] });
  const waits = said('UNDERPAID', 'COMPLETED');
  t.match(await changed(waits, 'reconciled'), { lost: [/^UNDERPAID/], wrong: [/under review without a cause/] });
  t.match(
    await changed(waits, 'reconciled', { tampered: new Set(['UNDERPAID']) }),
    { lost: [], wrong: [] },
    'a payment under review may wait for an operator',
  );
  t.match(
    await changed(waits, 'verified', { tampered: new Set(['UNDERPAID']) }),
    { lost: [/^UNDERPAID/] },
    'lost once an operator has verified it',
  );
  t.match(await verdictOf('settled', { decisions: [{ ref: 'PAID', decision: 'refund', taken: true }] }), {
    wrong: [/^PAID: 0 refund decisions recorded/],
  });
});

t.test('finds refunds that differ from the ledger', async (t) => {
  const partly = (kept: number): LedgerLine => ({
    provider: 'zitopay',
    ref: 'PARTLY',
    status: 'partialy-refunded',
    amount: 15_000,
    currency: 'XAF',
    kept,
  });
  const wrongOf = async (line: LedgerLine, stage: Stage = 'settled') =>
    (await verdictOf(stage, { ledger: [...ledger, line] })).wrong.join('\n');
  t.match(await wrongOf(partly(14_000)), /^PARTLY .*500 booked as refunded is less than 1000 at the provider or 0 by hand/);
  t.match(await wrongOf(partly(14_000)), /net amount 14500 in the database, 14000 at the provider/);
  t.equal(await wrongOf(partly(14_000), 'verified'), '', 'no fault before the refund check is due');
  t.match(await wrongOf(partly(14_800), 'reconciled'), /500 booked as refunded is more than 200 at the provider plus 0 by hand/);
  t.match(await wrongOf({ ...partly(15_000), status: 'COMPLETED' }), /500 booked as refunded is more than 0 at the provider/);
  const paid: LedgerLine = { ...partly(14_500), ref: 'REFUSED' };
  t.match(
    (await verdictOf('settled', { ledger: [...ledger, paid] })).lost,
    [/^REFUSED .*no days were opened/],
    'a partly refunded payment that opened no days is lost',
  );
  await sql(url, `update payment set needs_look = false where reference = 'PARTLY'`);
  t.match((await verdictOf('settled')).wrong, [/^PARTLY .*needs_look is not set/]);
  await sql(url, `update payment set needs_look = true where reference = 'PARTLY'`);
  t.match(await booksOf(url, ledger), { taken: 60_000, returned: 15_500, kept: 44_500, keptThere: 44_500, partlyReturned: 1 });
});

t.test('finds one lost, one double and one wrong payment', async (t) => {
  await live('LOST', { ledgerStatus: 'COMPLETED', status: 'pending', story: [created, opened] });
  await live('DOUBLE', { ledgerStatus: 'COMPLETED', status: 'succeeded', story: success, extensions: 2 });
  await live('WRONG', { ledgerStatus: 'FAILED', status: 'succeeded', story: success, extensions: 1 });
  const verdict = await verdictOf('settled');
  t.match(verdict, { lost: [/^LOST/], double: [/^DOUBLE .*opened 2 times/], wrong: [/^WRONG .*opened without a payment/] });
  t.equal(summary([verdict]), 'lost 1, double 1, wrong 1');
});

t.test('finds an end that does not follow from the extensions', async (t) => {
  const before = (await verdictOf('settled')).wrong.length;
  await sql(url, `update enrolment set date_expiration = date_expiration + interval '1 day' where id = (select min(id) from enrolment)`);
  const { wrong } = await verdictOf('settled');
  t.equal(wrong.length, before + 1);
  t.match(wrong.join('\n'), /its end does not follow/);
});

t.test('finds faults in the events of a payment', async (t) => {
  const complete = (story: Event[]): StoryEvent[] =>
    story.map((event) => ({
      actor: 'learner',
      operator: null,
      from: null,
      to: null,
      kind: null,
      paid: null,
      paidCurrency: null,
      reason: '',
      returned: null,
      ...event,
    }));
  const faults = (status: string, story: Event[]) => storyFaults({ status, amount: 15_000, currency: 'XAF' }, complete(story));
  t.same(faults('succeeded', success), []);
  t.same(faults('refunded', [...success, decided('succeeded', 'refunded')]), []);
  t.same(faults('failed', [created, opened, decided('pending', 'review'), decided('review', 'failed')]), []);
  const cases: [string, string, Event[], RegExp][] = [
    ['no events', 'created', [], /end with null/],
    ['created twice', 'created', [created, created], /created again/],
    ['the events end in another state', 'failed', success, /end with succeeded/],
    ['a missing transition', 'succeeded', [created, said('succeeded'), moved('pending', 'succeeded')], /in state created/],
    ['no verification', 'succeeded', [created, opened, moved('pending', 'succeeded')], /after verification result none/],
    [
      'the verification had another result',
      'succeeded',
      [created, opened, said('pending'), moved('pending', 'succeeded')],
      /after verification result pending/,
    ],
    [
      'another amount verified',
      'succeeded',
      [created, opened, said('succeeded', 100), moved('pending', 'succeeded')],
      /after verification result succeeded/,
    ],
    [
      'a failure after a success',
      'failed',
      [...success, said('failed'), moved('succeeded', 'failed')],
      /succeeded -> failed is not allowed/,
    ],
    ['closed without a review', 'failed', [created, opened, decided('pending', 'closed')], /pending -> closed is not allowed/],
    ['a decision without a reason', 'refunded', [...success, { ...decided('succeeded', 'refunded'), reason: '' }], /without a reason/],
    [
      'refunded before the full amount was refunded',
      'succeeded',
      [...success, said('partly_refunded'), gaveBack(500), decided('succeeded', 'succeeded'), moved('succeeded', 'refunded', 500)],
      /refunded with 1000 of 15000/,
    ],
    [
      'a partial refund of an unpaid payment',
      'pending',
      [created, opened, said('partly_refunded'), gaveBack(500)],
      /refund of 500 in state pending/,
    ],
    [
      'a partial refund that no verification reported',
      'succeeded',
      [...success, gaveBack(500)],
      /refund by reconciliation after verification result succeeded/,
    ],
    ['a decision without an operator', 'refunded', [...success, { ...decided('succeeded', 'refunded'), operator: null }], /without a name/],
  ];
  for (const [name, status, story, fault] of cases) t.match(faults(status, story).join('; '), fault, name);
});
