import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../platform/database/named-statement.ts';

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
  /** A bit for each of day, prepa and provider that the row is not grouped by. */
  level: number;
  day: string;
  prepaId: number | null;
  prepaNom: string;
  provider: string;
}

/** A payment counts on the day that it was settled, a refund on its own day: a refund does not change the totals of an earlier day. */
const totals = namedStatement<Row>({
  name: 'payment.totals',
  text: `with movement as (
           select settled_at as at, prepa_id, prepa_nom, provider, amount, true as received
           from payment where settled_at >= $1 and settled_at < $2
           union all
           -- A refund of a payment that was never settled is left out: its money was not counted as received.
           select e.at, p.prepa_id, p.prepa_nom, p.provider, e.returned, false
           from payment_event e join payment p on p.id = e.payment_id
           where e.returned is not null and e.at >= $1 and e.at < $2 and p.settled_at is not null
         ), named as (
           select to_char(m.at at time zone 'Africa/Douala', 'YYYY-MM-DD') as day, m.prepa_id, coalesce(c.nom, m.prepa_nom) as nom,
                  m.provider, m.amount, m.received
           from movement m left join prepa c on c.id = m.prepa_id
         )
         select grouping(day, nom, provider) as level, day, prepa_id, nom as prepa_nom, provider,
                count(*) filter (where received)::int as received, coalesce(sum(amount) filter (where received), 0)::float8 as received_amount,
                count(*) filter (where not received)::int as refunded, coalesce(sum(amount) filter (where not received), 0)::float8 as refunded_amount
         from named group by grouping sets ((day), (prepa_id, nom), (provider), ())
         order by day, received_amount desc, nom, provider`,
});

const levels = { day: 0b011, prepa: 0b101, provider: 0b110, all: 0b111 } as const;

/** One statement. @param until exclusive */
export async function paymentTotals(em: EntityManager, { from, until }: { from: Date; until: Date }) {
  const rows = await totals(em, [from, until]);
  const of = (level: number) => rows.filter((row) => row.level === level);
  const [all] = of(levels.all);
  return {
    total: all ? totalOf(all) : { received: 0, receivedAmount: 0, refunded: 0, refundedAmount: 0 },
    /** Of each day (Africa/Douala, `2026-11-21`) that has any, oldest first. */
    days: of(levels.day).map((row) => ({ day: row.day, ...totalOf(row) })),
    /** The most money first, as of the providers. */
    prepas: of(levels.prepa).map((row) => ({ prepaId: row.prepaId, prepaNom: row.prepaNom, ...totalOf(row) })),
    providers: of(levels.provider).map((row) => ({ provider: row.provider, ...totalOf(row) })),
  };
}

export type PaymentTotals = Awaited<ReturnType<typeof paymentTotals>>;

const totalOf = ({ received, receivedAmount, refunded, refundedAmount }: Row): Total => ({
  received,
  receivedAmount,
  refunded,
  refundedAmount,
});
