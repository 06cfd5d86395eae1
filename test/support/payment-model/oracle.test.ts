import { randomUUID } from 'node:crypto';
import t from 'tap';
import { createTestDatabase } from '../database.ts';
import { sql } from '../sql.ts';
import { booksOf, type Deeds, judge, type LedgerLine, type Stage, summary } from './oracle.ts';
import { type StoryEvent, storyFaults } from './story.ts';

// Tests the oracle itself: it must find each planted fault.

const { url } = await createTestDatabase(t);
// Without this constraint the tests can plant rows that a fault in the application could write.
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

/** Partial refunds are 500 XAF. */
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
  t.match(await changed(said('REFUSED', 'COMPLETED')), { lost: [/^REFUSED .*nothing was opened/], wrong: [] });
  t.match(await changed(said('LEFT', 'COMPLETED')), { lost: [/^LEFT/] });
  t.match(await changed(said('NOWHERE', 'COMPLETED')), { lost: [/^NOWHERE \(unknown here\)/] }, 'paid there, and never saved here');
  t.match(await verdictOf('settled', { started: new Set(['GONE']) }), { lost: [/^GONE: started, and kept nowhere/] });
  t.match(await changed(said('PAID', 'FAILED')), { lost: [], wrong: [/^PAID .*opened without money/] });
  t.match(await changed(said('PAID', 'refunded')), { wrong: [/^PAID .*its days are still there/] });
  t.same((await changed(said('PAID', 'refunded'), 'verified')).wrong, [], 'asked about when it is due');
  t.match(await changed(said('RETURNED', 'COMPLETED')), { wrong: [/^RETURNED .*nobody gave the money back/] });
  const waits = said('UNDERPAID', 'COMPLETED');
  t.match(await changed(waits, 'reconciled'), { lost: [/^UNDERPAID/], wrong: [/under review without a cause/] });
  t.match(await changed(waits, 'reconciled', { tampered: new Set(['UNDERPAID']) }), { lost: [], wrong: [] }, 'it waits for a person');
  t.match(await changed(waits, 'verified', { tampered: new Set(['UNDERPAID']) }), { lost: [/^UNDERPAID/] }, 'who has looked at it');
  t.match(await verdictOf('settled', { decisions: [{ ref: 'PAID', decision: 'refund', taken: true }] }), { wrong: [/^PAID: 0 decisions/] });
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
  t.match(await wrongOf(partly(14_000)), /^PARTLY .*500 booked as returned, 1000 there and 0 by hand/);
  t.match(await wrongOf(partly(14_000)), /14500 kept here, 14000 there/);
  t.equal(await wrongOf(partly(14_000), 'verified'), '', 'asked about when it is due');
  t.match(await wrongOf(partly(14_800), 'reconciled'), /500 booked as returned, 200 there and 0 by hand were/);
  t.match(await wrongOf({ ...partly(15_000), status: 'COMPLETED' }), /500 booked as returned, 0 there/);
  const paid: LedgerLine = { ...partly(14_500), ref: 'REFUSED' };
  t.match(
    (await verdictOf('settled', { ledger: [...ledger, paid] })).lost,
    [/^REFUSED .*nothing was opened/],
    'a part is kept, and nothing opened',
  );
  await sql(url, `update payment set needs_look = false where reference = 'PARTLY'`);
  t.match((await verdictOf('settled')).wrong, [/^PARTLY .*nobody is told/]);
  await sql(url, `update payment set needs_look = true where reference = 'PARTLY'`);
  t.match(await booksOf(url, ledger), { taken: 60_000, returned: 15_500, kept: 44_500, keptThere: 44_500, partlyReturned: 1 });
});

t.test('finds one lost, one double and one wrong payment', async (t) => {
  await live('LOST', { ledgerStatus: 'COMPLETED', status: 'pending', story: [created, opened] });
  await live('DOUBLE', { ledgerStatus: 'COMPLETED', status: 'succeeded', story: success, extensions: 2 });
  await live('WRONG', { ledgerStatus: 'FAILED', status: 'succeeded', story: success, extensions: 1 });
  const verdict = await verdictOf('settled');
  t.match(verdict, { lost: [/^LOST/], double: [/^DOUBLE .*opened 2 times/], wrong: [/^WRONG .*opened without money/] });
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
    ['no story', 'created', [], /ends with null/],
    ['created twice', 'created', [created, created], /created again/],
    ['another state at the end', 'failed', success, /ends with succeeded/],
    ['a gap', 'succeeded', [created, said('succeeded'), moved('pending', 'succeeded')], /out of created/],
    ['nobody asked', 'succeeded', [created, opened, moved('pending', 'succeeded')], /after the answer of nobody/],
    [
      'the provider said something else',
      'succeeded',
      [created, opened, said('pending'), moved('pending', 'succeeded')],
      /after the answer pending/,
    ],
    ['another amount', 'succeeded', [created, opened, said('succeeded', 100), moved('pending', 'succeeded')], /after the answer succeeded/],
    ['backwards', 'failed', [...success, said('failed'), moved('succeeded', 'failed')], /succeeded -> failed is not allowed/],
    ['closed without a look', 'failed', [created, opened, decided('pending', 'closed')], /pending -> closed is not allowed/],
    ['no reason', 'refunded', [...success, { ...decided('succeeded', 'refunded'), reason: '' }], /without a reason/],
    [
      'all gone, and a success',
      'succeeded',
      [...success, said('partly_refunded'), gaveBack(500), decided('succeeded', 'succeeded'), moved('succeeded', 'refunded', 500)],
      /refunded with 1000 of 15000/,
    ],
    ['a part of nothing', 'pending', [created, opened, said('partly_refunded'), gaveBack(500)], /500 given back out of pending/],
    ['a part that nobody told', 'succeeded', [...success, gaveBack(500)], /given back by reconciliation after the answer succeeded/],
    ['no name', 'refunded', [...success, { ...decided('succeeded', 'refunded'), operator: null }], /without a name/],
  ];
  for (const [name, status, story, fault] of cases) t.match(faults(status, story).join('; '), fault, name);
});
