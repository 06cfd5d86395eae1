import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../platform/database/named-statement.ts';
import { spansOf } from './spans.ts';

/** Money received and refunded, in whole XAF. */
export interface Total {
  /** Number of settled payments. */
  received: number;
  receivedAmount: number;
  /** Number of refunds, full or partial, regardless of when their payment was settled. */
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

/** Maximum number of prepas listed by amount. More prepas are listed by pages, in order of creation. */
const maxRanked = 50;
const prepasOfPage = 20;

const names = ['received', 'received_amount', 'refunded', 'refunded_amount'];
const sums = names.map((name) => `coalesce(sum(${name}), 0)::float8 as ${name}`).join(', ');

/**
 * Returns SQL of the rows of a period's spans. Each span is looked up in the index: with a list of spans, PostgreSQL would
 * overestimate it and read the entire table.
 */
const pieces = (condition: string) => `
    select t.* from unnest($1::text[], $2::date[]) as piece (span, start)
    cross join lateral (select * from payment_prepa_total t where t.span = piece.span and t.start = piece.start and ${condition} offset 0) t`;

/**
 * Sums up the totals that the database keeps (migrations `payment-totals` and `thirds-and-terms-of-totals`): a year takes at most 29
 * rows per prepa. A payment counts on the day of its settlement, a refund on its own day, so that totals of earlier days do not
 * change.
 * $1, $2: the spans of the period, from day $3 to day $4; $5: the prepa after which the page begins; $6: read all prepas, at any
 * cost. Prepas of a page have consecutive ids, so that their rows of a span are adjacent in the index.
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
  /** Lists the prepas created after this one, when there are too many to rank. Null: lists all, highest amount first. */
  after?: number | null;
}

/** Returns the totals of a period, in one statement. */
export async function paymentTotals(em: EntityManager, { du, au, after = null }: Asked) {
  const spans = spansOf({ du, au });
  const rows = await totals(em, [spans.map(({ span }) => span), spans.map(({ start }) => start), du, au, after ?? 0, after === null]);
  // A row whose counts are zero again, after corrections, is left out.
  const of = (part: Row['part']) => rows.filter((row) => row.part === part && (row.received !== 0 || row.refunded !== 0));
  const [all] = of('all');
  const [others] = of('others');
  const listed = rows.filter(({ part }) => part === 'listed').slice(0, prepasOfPage);
  const isLast = rows.filter(({ part }) => part === 'listed').length <= prepasOfPage;
  return {
    total: all ? totalOf(all) : { received: 0, receivedAmount: 0, refunded: 0, refundedAmount: 0 },
    /** Totals of each day with payments or refunds (Africa/Douala, `2026-11-21`), oldest first. */
    days: of('day').map((row) => ({ day: row.day, ...totalOf(row) })),
    /** Highest amount first, like the providers; the prepas of a page are in order of creation. */
    prepas: [...of('ranked'), ...listed].map((row) => ({ prepaId: row.prepaId, prepaNom: row.prepaNom, ...totalOf(row) })),
    /** Sum and number of the prepas not listed; null when there are none. */
    otherPrepas: others ? { count: others.prepaId ?? 0, ...totalOf(others) } : null,
    /** The prepa after which the next page begins; null on the last one. */
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
