import { sql } from '../sql.ts';
import { type StoryEvent, storyFaults } from './story.ts';

/**
 * Compares the database with the providers' ledgers. It knows the tables and the specification, but uses no entity, constant or state
 * machine of the application.
 */

/** A line of a provider's ledger; a payment may have several lines, and the last one is valid. */
export interface LedgerLine {
  provider: 'zitopay' | 'notchpay';
  ref: string;
  status: string;
  /** Amount of the attempt as the payer saw it, in whole units. */
  amount: number;
  currency: string;
  /** Amount paid and not refunded since; 0 until the full amount was paid. */
  kept: number;
}

/** A requested decision of an operator. `taken`: the request succeeded. After a crash the decision may or may not have been recorded. */
export interface AskedDecision {
  ref: string;
  decision: 'refund' | 'review' | 'close' | 'acknowledge';
  taken: boolean;
}

export interface Deeds {
  ledger: LedgerLine[];
  /** References returned by the site. */
  started: ReadonlySet<string>;
  /** References whose verification reported another amount at some time. */
  tampered: ReadonlySet<string>;
  decisions: AskedDecision[];
}

/**
 * Progress of the run. `reconciled`: one pass was made, payments under review still wait. `verified`: an operator has verified all waiting
 * payments. `settled`: one pass was made after the checks for refunds were due.
 */
export type Stage = 'reconciled' | 'verified' | 'settled';

/** References, each with its fault. */
export interface Verdict {
  /** Paid payments that opened nothing. */
  lost: string[];
  /** Payments that opened days more than once, or whose extensions were reversed more than once. */
  double: string[];
  /** Other contradictions between ledger, days, states and events. */
  wrong: string[];
}

interface Fact extends Record<string, unknown> {
  provider: string;
  reference: string;
  status: string;
  /** `paid`: the last ledger line has our amount as paid, and not all of it is refunded. `returned`: all of it is refunded. */
  paid: boolean;
  returned: boolean;
  /** Amounts that the provider has refunded and still keeps for us, in whole units. */
  returnedThere: number;
  keptThere: number;
  /** Amounts in our database: received, refunded (`byHand`: by an operator), and `refundedAmount` of the payment row. */
  received: number;
  booked: number;
  byHand: number;
  refundedAmount: number;
  needsLook: boolean;
  /** Whether the ledger's amount differs from ours. */
  otherAmount: boolean;
  /** Number of extensions of this payment, and of their reversals. */
  opened: number;
  days: number | null;
  takenBack: number;
  /** Operators' decisions in the events: the states they lead to, and the requested decisions. */
  decided: string[];
  decisions: string[];
  /** Whether an operator refunded a payment under review, for which nothing had been opened. */
  heldBack: boolean;
}

const facts = `
  with line as (
    select distinct on (provider, ref) provider, ref, status, amount, currency, kept
    from rows from (jsonb_to_recordset($1::jsonb) as (provider text, ref text, status text, amount int, currency text, kept int)) with ordinality
      as l (provider, ref, status, amount, currency, kept, place)
    order by provider, ref, place desc
  ), days as (
    select x.payment_id, count(distinct x.id)::int as opened, max(x.days) as days, count(distinct back.id)::int as taken_back
    from enrolment_extension x left join enrolment_extension back on back.reverses_id = x.id
    where x.payment_id is not null group by x.payment_id
  ), decision as (
    select payment_id, array_agg(to_status::text) as decided, bool_or(from_status = 'review' and to_status = 'refunded') as held_back,
           array_agg(case when returned is not null then 'refund' when to_status = 'review' then 'review' when to_status = 'failed' then 'close'
                          when to_status = 'succeeded' then 'acknowledge' else to_status end) as decisions
    from payment_event where type = 'decision' group by payment_id
  ), book as (
    select payment_id, sum(returned)::int as booked, coalesce(sum(returned) filter (where type = 'decision'), 0)::int as by_hand
    from payment_event where returned is not null group by payment_id
  )
  select coalesce(p.provider, line.provider) as provider, coalesce(p.reference, line.ref) as reference, coalesce(p.status, 'unknown here') as status,
         coalesce(line.kept > 0 and (p.id is null or (line.amount, line.currency) = (p.amount, p.currency::text)), false) as paid,
         coalesce(line.status = 'refunded', false) as returned,
         case when line.status in ('refunded', 'partialy-refunded') then line.amount - line.kept else 0 end as "returnedThere",
         coalesce(line.kept, 0) as "keptThere",
         case when p.settled_at is null then 0 else p.amount end as received,
         coalesce(book.booked, 0) as booked, coalesce(book.by_hand, 0) as "byHand",
         coalesce(p.refunded_amount, 0) as "refundedAmount", coalesce(p.needs_look, false) as "needsLook",
         coalesce((line.amount, line.currency) <> (p.amount, p.currency::text), false) as "otherAmount",
         coalesce(days.opened, 0) as opened, days.days, coalesce(days.taken_back, 0) as "takenBack",
         coalesce(decision.decided, '{}') as decided, coalesce(decision.decisions, '{}') as decisions, coalesce(decision.held_back, false) as "heldBack"
  from payment p
  full join line on (line.provider, line.ref) = (p.provider, p.reference)
  left join days on days.payment_id = p.id
  left join decision on decision.payment_id = p.id
  left join book on book.payment_id = p.id
  order by p.id`;

/**
 * 30 days are 720 hours in any time zone. An end follows from the chain of extensions, each based on the previous one. Two concurrent
 * extensions may both have read their clock before they got the row lock.
 */
const brokenEnds = `
  with chain as (
    select x.*, lag(x.expires_after) over w as previous, lead(x.id) over w is null as is_last
    from enrolment_extension x window w as (partition by x.enrolment_id order by x.id)
  )
  select e.id as enrolment, c.id as extension from enrolment e left join chain c on c.enrolment_id = e.id
  where c.id is null
     or c.source not in ('payment', 'refund')
     or c.is_last and c.expires_after <> e.date_expiration
     or c.source = 'payment' and (c.days <> 30 or c.expires_after <> coalesce(c.expires_before, c.created_at) + interval '720 hours'
       or (case when c.expires_before is null then c.previous > c.created_at + interval '1 minute' else c.previous is distinct from c.expires_before end))
     or c.source = 'refund' and (c.days <> -30 or c.expires_before is distinct from c.previous
       or c.expires_after <> greatest(c.expires_before - interval '720 hours', least(c.expires_before, c.created_at)))`;

const events = `
  select p.reference, p.status, p.amount, p.currency, e.type, e.actor, e.operator, e.from_status as "from", e.to_status as "to",
         e.returned, e.detail ->> 'kind' as kind, (e.detail ->> 'amount')::int as paid, e.detail ->> 'currency' as "paidCurrency",
         coalesce(e.detail ->> 'reason', '') as reason
  from payment p left join payment_event e on e.payment_id = p.id order by p.id, e.id`;

interface Told extends StoryEvent, Record<string, unknown> {
  reference: string;
  status: string;
  amount: number;
  currency: string;
}

export async function judge(databaseUrl: string, deeds: Deeds, stage: Stage): Promise<Verdict> {
  const verdict: Verdict = { lost: [], double: [], wrong: [] };
  const known = new Set<string>();
  for (const fact of await sql<Fact>(databaseUrl, facts, [JSON.stringify(deeds.ledger)])) {
    known.add(fact.reference);
    judgeDays(fact, deeds, stage, verdict);
    for (const fault of bookFaults(fact, stage)) verdict.wrong.push(`${fact.reference} (${fact.status}): ${fault}`);
    for (const fault of decisionFaults(fact, deeds)) verdict.wrong.push(`${fact.reference}: ${fault}`);
  }
  for (const reference of deeds.started)
    if (!known.has(reference)) verdict.lost.push(`${reference}: started, but missing in the database and the ledger`);
  for (const { enrolment, extension } of await sql<{ enrolment: number; extension: number }>(databaseUrl, brokenEnds)) {
    verdict.wrong.push(`enrolment ${enrolment}: its end does not follow from its extensions (extension ${extension})`);
  }
  for (const told of Map.groupBy(await sql<Told>(databaseUrl, events), ({ reference }) => reference).values()) {
    const [payment] = told;
    if (!payment) continue;
    for (const fault of storyFaults(payment, told)) verdict.wrong.push(`${payment.reference}: ${fault}`);
  }
  return verdict;
}

function judgeDays(fact: Fact, deeds: Deeds, stage: Stage, { lost, double, wrong }: Verdict): void {
  const { reference, status, paid, returned, otherAmount, opened, days, takenBack, decided, heldBack } = fact;
  const blame = (list: string[], what: string) => list.push(`${reference} (${status}): ${what}`);
  const refundedHere = decided.includes('refunded');
  // An operator's decision has removed the payment from the reconciliation schedule.
  const held = decided.includes('review') || decided.includes('failed');
  const mayWait = stage === 'reconciled' && (held || deeds.tampered.has(reference));

  if (paid && opened === 0 && !mayWait && !heldBack) blame(lost, 'paid, but no days were opened');
  if (opened > 1) blame(double, `opened ${opened} times`);
  if (takenBack > 1) blame(double, `reversed ${takenBack} times`);
  if (opened === 1 && days !== 30) blame(wrong, `opened ${days} days`);
  if (opened > 0 && !paid && !returned) blame(wrong, 'days opened without a payment at the provider');
  if (takenBack > 0 && !returned && !refundedHere) blame(wrong, 'the extension was reversed without a refund');
  if (refundedHere && takenBack === 0 && !heldBack) blame(wrong, 'refunded by an operator, but the extension was not reversed');
  if (stage === 'settled' && returned && opened > 0 && takenBack === 0)
    blame(wrong, 'refunded by the provider, but the extension was not reversed');

  const hasDays = status === 'succeeded' || (status === 'refunded' && !heldBack);
  if (hasDays !== opened > 0) blame(wrong, `this status with ${opened} extensions`);
  if ((status === 'refunded' && !heldBack) !== takenBack > 0) blame(wrong, `this status with ${takenBack} reversed extensions`);
  if (status === 'review' && !held && !returned && !otherAmount && !deeds.tampered.has(reference))
    blame(wrong, 'under review without a cause');
}

/**
 * Checks that the net amount equals received less refunded, in the database and at the provider. The provider may or may not know a refund recorded by hand, so
 * the booked sum is at least the larger of both, and at most their sum.
 */
function bookFaults(fact: Fact, stage: Stage): string[] {
  const { status, received, booked, byHand, refundedAmount, returnedThere, keptThere, otherAmount, heldBack, needsLook, decisions } = fact;
  const faults: string[] = [];
  if (booked !== refundedAmount) faults.push(`events add up to ${booked} refunded, the payment row has ${refundedAmount}`);
  if (received > 0 && (status === 'refunded') !== booked >= received) faults.push(`this status with ${booked} of ${received} refunded`);
  if (booked > returnedThere + byHand)
    faults.push(`${booked} booked as refunded is more than ${returnedThere} at the provider plus ${byHand} by hand`);
  // Lost payments, and days opened without a payment, are reported by `judgeDays`.
  if (stage !== 'settled' || otherAmount || heldBack || received === 0 || keptThere + returnedThere === 0) return faults;
  if (booked < Math.max(returnedThere, byHand))
    faults.push(`${booked} booked as refunded is less than ${returnedThere} at the provider or ${byHand} by hand`);
  if (byHand === 0 && received - booked !== keptThere)
    faults.push(`net amount ${received - booked} in the database, ${keptThere} at the provider`);
  if (byHand === 0 && returnedThere > 0 && keptThere > 0 && !needsLook && !decisions.includes('acknowledge'))
    faults.push('partly refunded, but needs_look is not set');
  return faults;
}

/** Returns the totals of our database and the providers' ledgers, without payments that an operator refunded by hand. */
export async function booksOf(databaseUrl: string, ledger: LedgerLine[]): Promise<Record<string, number>> {
  const [books = {}] = await sql<Record<string, number>>(
    databaseUrl,
    `select coalesce(sum(received), 0)::int as taken, coalesce(sum(booked), 0)::int as returned, coalesce(sum(received - booked), 0)::int as kept,
            coalesce(sum("keptThere"), 0)::int as "keptThere", count(*) filter (where "returnedThere" > 0 and "keptThere" > 0)::int as "partlyReturned"
     from (${facts}) f where "byHand" = 0 and not "heldBack" and not "otherAmount"`,
    [JSON.stringify(ledger)],
  );
  return books;
}

/** Checks that each successful decision is recorded once in the events, and no decision without a request. */
function decisionFaults({ reference, decisions }: Fact, deeds: Deeds): string[] {
  const asked = deeds.decisions.filter(({ ref }) => ref === reference);
  return (['refund', 'review', 'close', 'acknowledge'] as const).flatMap((name) => {
    const told = decisions.filter((decision) => decision === name).length;
    const taken = asked.filter(({ decision, taken }) => decision === name && taken).length;
    const most = asked.filter(({ decision }) => decision === name).length;
    return told < taken || told > most ? [`${told} ${name} decisions recorded, ${taken} to ${most} expected`] : [];
  });
}

/** Returns `lost 0, double 0, wrong 0`, over all stages; a fault found in several stages counts once. */
export const summary = (verdicts: Verdict[]): string =>
  (['lost', 'double', 'wrong'] as const).map((name) => `${name} ${new Set(verdicts.flatMap((verdict) => verdict[name])).size}`).join(', ');
