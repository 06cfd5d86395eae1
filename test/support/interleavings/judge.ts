import { dayMs } from '../../../src/shared/dates.ts';
import { type StoryEvent, storyFaults } from '../payment-model/story.ts';
import type { Left } from './deeds.ts';
import type { LedgerLine } from './ledger.ts';
import type { Observer } from './observer.ts';
import type { Outcome } from './scheduler.ts';

interface PaymentRow {
  id: number;
  reference: string;
  provider: string;
  status: string;
  amount: number;
  currency: string;
  refunded: number;
  needsLook: boolean;
  /** Whether reconciliation will verify it again. */
  asked: boolean;
}

/** The tables' contents, read by SQL that is independent of the application. */
interface Facts {
  payments: PaymentRow[] | null;
  events: (StoryEvent & { id: number; payment: number })[] | null;
  enrolments: { id: number; statut: string; endMs: number; announced: number | null }[] | null;
  extensions: Extension[] | null;
  notices: { message: string; key: string | null }[] | null;
  audit: { action: string; subject: string }[] | null;
  /** Stored notifications that name a payment and were not followed. */
  unfollowed: number;
}

interface Extension {
  id: number;
  enrolment: number;
  payment: number | null;
  reverses: number | null;
  days: number;
  source: string;
  beforeMs: number | null;
  afterMs: number;
  atMs: number;
}

const ms = (column: string) => `(extract(epoch from ${column}) * 1000)::float8`;
const list = (name: string, columns: string, from: string) =>
  `(select json_agg(r) from (select ${columns} from ${from} order by id) r) as ${name}`;

const facts = `select ${[
  list(
    'payments',
    'id, reference, status, amount, currency, refunded_amount as refunded, needs_look as "needsLook", next_check_at is not null as asked, provider',
    'payment',
  ),
  list(
    'events',
    `id, payment_id as payment, type, actor, operator, from_status as "from", to_status as "to", returned, detail ->> 'kind' as kind,
     (detail ->> 'amount')::int as paid, detail ->> 'currency' as "paidCurrency", coalesce(detail ->> 'reason', '') as reason`,
    'payment_event',
  ),
  list('enrolments', `id, statut, ${ms('date_expiration')} as "endMs", announced_days as announced`, 'enrolment'),
  list(
    'extensions',
    `id, enrolment_id as enrolment, payment_id as payment, reverses_id as reverses, days, source, ${ms('expires_before')} as "beforeMs",
     ${ms('expires_after')} as "afterMs", ${ms('created_at')} as "atMs"`,
    'enrolment_extension',
  ),
  list('notices', 'message, key', 'notification'),
  list('audit', 'action, subject', 'audit_entry'),
  '(select count(*)::int from payment_notification where payment_id is not null and processed_at is null) as unfollowed',
].join(', ')}`;

interface Situation {
  ledger: ReadonlyMap<string, LedgerLine>;
  outcomes: readonly Outcome[];
  /** Rows up to this id existed before. */
  oldRows: number;
  /** The latest time of the actors' clocks. */
  nowMs: number;
}

/** Returns all faults after an interleaving and the following reconciliation and nightly command. */
export async function judge(observer: Observer, situation: Situation): Promise<string[]> {
  const { rows } = await observer.query<Facts>({ name: 'facts', text: facts });
  const found = rows[0] as Facts;
  return [
    ...judgePayments(found, situation),
    ...judgeDays(found),
    ...judgeEnds(found, situation),
    ...judgeNotices(found, situation),
    ...judgeRecords(found, situation),
  ];
}

/** Checks that state, events, money and days of each payment agree, with one another and with the provider. */
function judgePayments({ payments, events, extensions }: Facts, { ledger }: Situation): string[] {
  return (payments ?? []).flatMap((payment) => {
    const { id, reference, status, amount, refunded } = payment;
    const story = (events ?? []).filter((event) => event.payment === id);
    const faults = storyFaults(payment, story);
    const opened = (extensions ?? []).filter((extension) => extension.payment === id);
    const takenBack = (extensions ?? []).filter(({ reverses }) => opened.some((extension) => extension.id === reverses));
    const booked = sum(story.map(({ returned }) => returned ?? 0));
    const byHand = sum(story.filter(({ type }) => type === 'decision').map(({ returned }) => returned ?? 0));
    if (booked !== refunded) faults.push(`events add up to ${booked} refunded, the payment row has ${refunded}`);
    if (refunded > amount) faults.push(`${refunded} of ${amount} returned`);

    const heldBack = story.some(({ type, from, to }) => type === 'decision' && from === 'review' && to === 'refunded');
    const hasDays = status === 'succeeded' || (status === 'refunded' && !heldBack);
    if (opened.length !== (hasDays ? 1 : 0)) faults.push(`${status} with ${opened.length} extensions`);
    if (opened.some(({ days }) => days !== 30)) faults.push(`opened ${opened[0]?.days} days`);
    if (takenBack.length !== (status === 'refunded' && !heldBack ? 1 : 0))
      faults.push(`${status} with ${takenBack.length} reversed extensions`);

    // A decision implies that the operator has seen the refunds so far.
    const latestPart = story.findLast(({ type }) => type === 'refund')?.id ?? 0;
    const looked = story.findLast(({ type, to, returned }) => type === 'decision' && (to === 'succeeded' || returned !== null))?.id ?? 0;
    if (status === 'succeeded' && payment.needsLook !== latestPart > looked) faults.push(`to be looked at: ${payment.needsLook}`);
    const over = status === 'refunded' || (status === 'succeeded' && payment.provider === 'zitopay');
    if (over && payment.asked) faults.push(`${status}, and still to be asked about`);
    const line = ledger.get(reference);
    const wrong = line ? ledgerFault(payment, line, byHand) : status === 'created' ? null : 'unknown to its provider';
    if (wrong) faults.push(wrong);
    return faults.map((fault) => `${reference}: ${fault}`);
  });
}

function ledgerFault({ status, amount, refunded }: PaymentRow, line: LedgerLine, byHand: number): string | null {
  const there = line.provider === 'notchpay' ? line.returned : 0;
  if (line.state !== 'paid') return status === 'succeeded' || status === 'refunded' ? `${status}, but ${line.state} at the provider` : null;
  // Refunded before the site verified the payment: no days are opened, and the payment is under review.
  if (there === amount && refunded === 0) return status === 'review' ? null : `${status}, but fully refunded at the provider`;
  if (status !== 'succeeded' && status !== 'refunded') return `${status}, but paid at the provider`;
  if (refunded < Math.max(there, byHand) || refunded > there + byHand)
    return `${refunded} refunded in the database, ${there} at the provider and ${byHand} by hand`;
  return (status === 'refunded') === (refunded === amount) ? null : `${status} with ${refunded} refunded`;
}

/** Checks that an enrolment's end follows from its extensions by the specification's rules. */
function judgeDays({ enrolments, extensions }: Facts): string[] {
  const faults: string[] = [];
  for (const { id, endMs } of enrolments ?? []) {
    let end: number | null = null;
    let began = 0;
    const chain = (extensions ?? []).filter(({ enrolment }) => enrolment === id);
    for (const { id: extension, days, beforeMs, afterMs, atMs, reverses } of chain) {
      const lasts: boolean = end !== null && end > atMs;
      if (days > 0 && !lasts) began = extension;
      // A refund removes no days when its period had already ended.
      const opened = chain.find((earlier) => earlier.id === reverses)?.days ?? 0;
      const due: number = reverses === null ? days : reverses < began ? 0 : -opened;
      if (days !== due) faults.push(`extension ${extension} takes ${-days} days, due are ${-due}`);
      const rest: number = end ?? atMs;
      const after: number = days > 0 ? (lasts ? rest : atMs) + days * dayMs : Math.max(rest + due * dayMs, Math.min(rest, atMs));
      if (afterMs !== after) faults.push(`extension ${extension} ends ${(afterMs - after) / dayMs} days after what it should`);
      if (days > 0 ? beforeMs !== (lasts ? end : null) : beforeMs !== end)
        faults.push(`extension ${extension} does not follow on the one before`);
      end = afterMs;
    }
    if (end !== endMs)
      faults.push(`the enrolment ends ${end === null ? 'without extensions' : `${(endMs - end) / dayMs} days after its last extension`}`);
  }
  return faults;
}

/** Checks that access is open exactly until its end, and that each end is announced once, after it has passed. */
function judgeEnds({ enrolments, notices }: Facts, { nowMs }: Situation): string[] {
  return (enrolments ?? []).flatMap(({ id, statut, endMs, announced }) => {
    const faults: string[] = [];
    const ended = endMs <= nowMs;
    if (statut !== (ended ? 'expired' : 'active'))
      faults.push(`the enrolment is ${statut}, its end ${ended ? 'has passed' : 'has not passed'}`);
    if (ended && announced !== 0) faults.push('the end has passed, but is not marked as announced');
    if (endMs > nowMs + 8 * dayMs && announced !== null)
      faults.push(`the end is more than 8 days ahead, but marked as announced (${announced})`);
    const told = (notices ?? []).filter(({ key }) => key === `rappel:${id}:${new Date(endMs).toISOString()}:0`);
    const shortened = (notices ?? []).filter(({ message }) => message.includes('votre accès est terminé'));
    if (!ended && told.length > 0) faults.push('the end was announced before it has passed');
    if (told.length > 1) faults.push(`the end was announced ${told.length} times`);
    const silently = told.length + shortened.length === 0;
    if (ended && silently && endMs > nowMs - dayMs / 2) faults.push('the end has passed without an announcement');
    return faults;
  });
}

/** Checks that each change of days and each partial refund is announced once. */
function judgeNotices({ notices, extensions, events }: Facts, { oldRows }: Situation): string[] {
  const said = (pattern: RegExp) => (notices ?? []).filter(({ message }) => pattern.test(message)).length;
  const changes = (extensions ?? []).filter(({ id }) => id > oldRows);
  const given = changes.filter(({ days }) => days > 0).length;
  const partsReturned = (events ?? []).filter(({ id, returned, to }) => id > oldRows && returned !== null && to !== 'refunded').length;
  return [
    ...differ('additions of days and their announcements', given, said(/^Votre inscription à .* est (confirmée|renouvelée)/)),
    ...differ(
      'removals of days and their announcements',
      changes.length - given,
      said(/^(Votre paiement pour .* a été remboursé|Le support a retiré)/),
    ),
    ...differ('partial refunds and their announcements', partsReturned, said(/vous ont été rendus/)),
  ];
}

/**
 * Checks that every successful operation of an operator is recorded once, in the events or extensions and in the audit log, and that
 * refused ones are not recorded.
 */
function judgeRecords({ events, extensions, audit, unfollowed }: Facts, { outcomes, oldRows }: Situation): string[] {
  const done = (what: Left) => outcomes.filter(({ value }) => (value as { leaves?: Left } | undefined)?.leaves === what).length;
  const logged = (...actions: string[]) => (audit ?? []).filter(({ action }) => actions.includes(action)).length;
  const days = (source: string) => (extensions ?? []).filter((extension) => extension.id > oldRows && extension.source === source).length;
  const decisions = (events ?? []).filter(({ id, type }) => id > oldRows && type === 'decision').length;
  return [
    ...differ('decisions answered, in the story', done('decision'), decisions),
    ...differ('decisions answered, in the audit log', done('decision'), logged('refunded', 'reviewed', 'closed', 'acknowledged')),
    ...differ('grants answered, in the history', done('grant'), days('grant')),
    ...differ('grants answered, in the audit log', done('grant'), logged('granted')),
    ...differ('withdrawals answered, in the history', done('withdrawal'), days('withdrawal')),
    ...differ('withdrawals answered, in the audit log', done('withdrawal'), logged('withdrawn')),
    ...(unfollowed > 0 ? [`${unfollowed} notifications that nobody has followed`] : []),
  ];
}

const differ = (what: string, done: number, found: number): string[] => (done === found ? [] : [`${what}: ${done} and ${found}`]);

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
