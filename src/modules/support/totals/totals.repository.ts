import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../platform/database/named-statement.ts';
import { spansOf } from './spans.ts';

/** Money received and given back, in whole XAF. */
export interface Total {
  /** Payments that were settled. */
  received: number;
  receivedAmount: number;
  /** Refunds, of the whole or of a part, whenever their payment had been settled. */
  refunded: number;
  refundedAmount: number;
}

interface Row extends Total {
  part: 'all' | 'day' | 'ranked' | 'others' | 'listed' | 'provider';
  day: string;
  prepaId: number | null;
  prepaNom: string;
  provider: string;
}

/** Prepas that are named in one answer, the most money first; of more than these a page is read in the order of their creation. */
const maxRanked = 50;
const prepasOfPage = 20;

const names = ['received', 'received_amount', 'refunded', 'refunded_amount'];
const sums = names.map((name) => `coalesce(sum(${name}), 0)::float8 as ${name}`).join(', ');

/** Rows of the spans that a period is made of. PostgreSQL looks for each of them by its index: it would take a list for longer than it is, and read the whole table. */
const pieces = (condition: string) => `
    select t.* from unnest($1::text[], $2::date[]) as piece (span, start)
    cross join lateral (select * from payment_prepa_total t where t.span = piece.span and t.start = piece.start and ${condition} offset 0) t`;

/**
 * From the totals that the database keeps (migrations `payment-totals` and `thirds-and-terms-of-totals`): a year is 29 rows of a prepa at most, however many payments it
 * had. A payment counts on the day that it was settled, a refund on its own day: a refund does not change the totals of an earlier day. $1, $2: the spans
 * that add up to the period, from day $3 to day $4; $5: the prepa that the page of prepas begins after; $6: all of them, whatever it costs. Prepas of a page have numbers that
 * follow one another, so that their rows of a span stand together in the index.
 */
const totals = namedStatement<Row>({
  name: 'payment.totals',
  text: `with by_day as materialized (select * from payment_day_total where day >= $3::date and day <= $4::date),
              many as materialized (select not $6::boolean and (select count(*) from (select from prepa limit ${maxRanked + 1}) p) > ${maxRanked} as many),
              ranked as materialized (
                select c.id as prepa_id, coalesce(c.nom, t.prepa_nom) as nom, ${sums},
                       row_number() over (order by sum(received_amount) desc, sum(refunded_amount) desc, coalesce(c.nom, t.prepa_nom), c.id) as rank
                from (${pieces('(select not many from many)')}) t left join prepa c on c.id = t.prepa_id
                group by c.id, coalesce(c.nom, t.prepa_nom)),
              listed as materialized (select id, nom from prepa where id > $5::int and (select many from many) order by id limit ${prepasOfPage + 1}),
              of_listed as materialized (
                select t.prepa_id, ${sums}
                from (${pieces('t.prepa_id >= (select min(id) from listed) and t.prepa_id <= (select max(id) from listed)')}) t group by t.prepa_id)
         select 'all' as part, null as day, null::int as prepa_id, null as prepa_nom, null as provider, ${sums} from by_day having count(*) > 0
         union all
         (select 'day', to_char(day, 'YYYY-MM-DD') as day, null, null, null, ${sums} from by_day group by by_day.day order by by_day.day)
         union all
         (select 'ranked', null, prepa_id, nom, null, ${names.join(', ')} from ranked where rank <= ${maxRanked} order by rank)
         union all
         select 'others', null, count(*)::int, null, null, ${sums} from ranked where rank > ${maxRanked} having count(*) > 0
         union all
         (select 'listed', null, p.id, p.nom, null, ${names.map((name) => `coalesce(t.${name}, 0)`).join(', ')}
          from listed p left join of_listed t on t.prepa_id = p.id order by p.id)
         union all
         (select 'provider', null, null, null, provider, ${sums} from by_day group by provider order by sum(received_amount) desc, provider)`,
});

interface Asked {
  /** Days in Douala, both included. */
  du: string;
  au: string;
  /** Where there are more prepas than are ranked: those created after this one. Null: the most money first, however many there are. */
  after?: number | null;
}

/** One statement. */
export async function paymentTotals(em: EntityManager, { du, au, after = null }: Asked) {
  const spans = spansOf({ du, au });
  const rows = await totals(em, [spans.map(({ span }) => span), spans.map(({ start }) => start), du, au, after ?? 0, after === null]);
  // A day on which all that was counted has been taken back holds nothing.
  const of = (part: Row['part']) => rows.filter((row) => row.part === part && (row.received !== 0 || row.refunded !== 0));
  const [all] = of('all');
  const [others] = of('others');
  const listed = rows.filter(({ part }) => part === 'listed').slice(0, prepasOfPage);
  const isLast = rows.filter(({ part }) => part === 'listed').length <= prepasOfPage;
  return {
    total: all ? totalOf(all) : { received: 0, receivedAmount: 0, refunded: 0, refundedAmount: 0 },
    /** Of each day (Africa/Douala, `2026-11-21`) that has any, oldest first. */
    days: of('day').map((row) => ({ day: row.day, ...totalOf(row) })),
    /** The most money first, as of the providers; those of a page in the order of their creation. */
    prepas: [...of('ranked'), ...listed].map((row) => ({ prepaId: row.prepaId, prepaNom: row.prepaNom, ...totalOf(row) })),
    /** What further prepas come to, and how many they are; null without any. */
    otherPrepas: others ? { count: others.prepaId ?? 0, ...totalOf(others) } : null,
    /** The prepa that the next page begins after; null on the last one. */
    next: isLast ? null : (listed.at(-1)?.prepaId ?? null),
    providers: of('provider').map((row) => ({ provider: row.provider, ...totalOf(row) })),
  };
}

export type PaymentTotals = Awaited<ReturnType<typeof paymentTotals>>;

const totalOf = ({ received, receivedAmount, refunded, refundedAmount }: Row): Total => ({
  received,
  receivedAmount,
  refunded,
  refundedAmount,
});
