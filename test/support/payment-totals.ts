import { sql } from './sql.ts';

const sums =
  'sum(received)::int as received, sum(received_amount)::int as received_amount, sum(refunded)::int as refunded, sum(refunded_amount)::int as refunded_amount';

const expected = `
  with movement as (
    select (settled_at at time zone 'Africa/Douala')::date as day, provider, prepa_nom, 1 as received, amount as received_amount, 0 as refunded, 0 as refunded_amount
    from payment where settled_at is not null
    union all
    select (e.at at time zone 'Africa/Douala')::date, p.provider, p.prepa_nom, 0, 0, 1, e.returned
    from payment_event e join payment p on p.id = e.payment_id where e.returned is not null and p.settled_at is not null)
  select 'day' as span, day as start, 'provider ' || provider as of, ${sums} from movement group by day, provider
  union all
  select 'day', day, 'prepa ' || prepa_nom, ${sums} from movement group by day, prepa_nom
  union all
  select 'third', date_trunc('month', day)::date + case when extract(day from day) < 11 then 0 when extract(day from day) < 21 then 10 else 20 end,
         'prepa ' || prepa_nom, ${sums} from movement group by 2, prepa_nom
  union all
  select 'month', date_trunc('month', day)::date, 'prepa ' || prepa_nom, ${sums} from movement group by 2, prepa_nom
  union all
  select 'term', date_trunc('quarter', day)::date, 'prepa ' || prepa_nom, ${sums} from movement group by 2, prepa_nom`;

/** Leaves out rows of zeros: they remain when all counts of a day were subtracted again. */
const kept = `
  select 'day' as span, day as start, 'provider ' || provider as of, received, received_amount::int, refunded, refunded_amount::int
  from payment_day_total where received <> 0 or refunded <> 0
  union all
  select span, start, 'prepa ' || prepa_nom, ${sums} from payment_prepa_total group by span, start, prepa_nom having sum(received) <> 0 or sum(refunded) <> 0`;

/**
 * Returns the stored totals that differ from the sums over payments and refunds: by day and provider; by day, third of a month, month, and
 * term and prepa.
 */
export const wrongTotals = (url: string) =>
  sql(
    url,
    `(select 'missing' as what, e.* from (${expected}) e except select 'missing', k.* from (${kept}) k)
     union all
     (select 'not so', k.* from (${kept}) k except select 'not so', e.* from (${expected}) e)`,
  );
