import { Migration } from '@mikro-orm/migrations';
import { ownersPath } from './20261123130000-totals-are-the-owners.ts';

const sums = `received = t.received + $5, received_amount = t.received_amount + $6, refunded = t.refunded + $7, refunded_amount = t.refunded_amount + $8`;

/** Adds thirds of months ('third': from the 1st, 11th and 21st) and quarters ('term') to days and months. `rows` has the values. */
const addTo = (rows: string) => `
  create or replace function add_to_payment_totals(timestamptz, text, int, text, int, int, int, int)
  returns void language plpgsql as $$
  declare
    today constant date := ($1 at time zone 'Africa/Douala')::date;
  begin
    insert into payment_day_total as t values (today, $2, $5, $6, $7, $8) on conflict (day, provider) do update set ${sums};
    insert into payment_prepa_total as t
    select span, start, $3, $4, $5, $6, $7, $8 from (values ${rows}) as spans (span, start)
    on conflict (span, start, prepa_id, prepa_nom) do update set ${sums};
  end $$;`;

/** Return SQL for the first day of the third or quarter that `day` belongs to. */
const thirdOf = (day: string) => `date_trunc('month', ${day})::date + 10 * least((extract(day from ${day})::int - 1) / 10, 2)`;
const termOf = (day: string) => `date_trunc('quarter', ${day})::date`;

const dayAndMonth = `('day', today), ('month', date_trunc('month', today)::date)`;

/** @param thirds whether thirds and quarters are counted too */
const recount = (thirds: boolean) => `
  create or replace function recount_payment_totals(since date, until date) returns void language plpgsql set search_path from current as $$
  declare
    from_instant constant timestamptz := since::timestamp at time zone 'Africa/Douala';
    to_instant constant timestamptz := until::timestamp at time zone 'Africa/Douala';
  begin
    if date_trunc('month', since) <> since or date_trunc('month', until) <> until then raise exception 'whole months are recounted'; end if;
    lock table payment_day_total, payment_prepa_total in share row exclusive mode;
    delete from payment_day_total where day >= since and day < until;
    delete from payment_prepa_total where start >= since and start < until;
    with movement as (
      select (settled_at at time zone 'Africa/Douala')::date as day, provider, prepa_id, prepa_nom, 1 as received, amount as received_amount,
             0 as refunded, 0 as refunded_amount
      from payment where settled_at >= from_instant and settled_at < to_instant
      union all
      select (e.at at time zone 'Africa/Douala')::date, p.provider, p.prepa_id, p.prepa_nom, 0, 0, 1, e.returned
      from payment_event e join payment p on p.id = e.payment_id
      where e.returned is not null and e.at >= from_instant and e.at < to_instant and p.settled_at is not null
    ), by_day as (
      insert into payment_day_total
      select day, provider, sum(received), sum(received_amount), sum(refunded), sum(refunded_amount) from movement group by day, provider
    )
    insert into payment_prepa_total
    select case when grouping(day) = 0 then 'day' ${thirds ? `when grouping(third) = 0 then 'third'` : ''} else 'month' end,
           coalesce(day, ${thirds ? 'third, ' : ''}month), prepa_id, prepa_nom,
           sum(received), sum(received_amount), sum(refunded), sum(refunded_amount)
    from movement, lateral (select date_trunc('month', day)::date as month ${thirds ? `, ${thirdOf('day')} as third` : ''}) m
    group by grouping sets ((day, prepa_id, prepa_nom), ${thirds ? '(third, prepa_id, prepa_nom), ' : ''}(month, prepa_id, prepa_nom));
    ${thirds ? terms : ''}
  end $$;`;

/** Sums whole quarters from their months: the first and last quarter also have months outside the recounted period. */
const terms = `
    delete from payment_prepa_total where span = 'term' and start >= ${termOf('since')} and start < until;
    insert into payment_prepa_total
    select 'term', ${termOf('start')}, prepa_id, prepa_nom, sum(received), sum(received_amount), sum(refunded), sum(refunded_amount)
    from payment_prepa_total
    where span = 'month' and start >= ${termOf('since')} and start < date_trunc('quarter', until - 1) + interval '3 months'
    group by 2, 3, 4;`;

/**
 * Totals by thirds of months and quarters: any period then needs a third as many rows, and a page of prepas reads fewer, however many
 * payments their days have. The next migration counts earlier payments; until then no query reads these rows.
 */
export class ThirdsAndTermsOfTotals extends Migration {
  override name = '20261124100000-thirds-and-terms-of-totals';

  override up(): void {
    this.addSql(addTo(`${dayAndMonth}, ('third', ${thirdOf('today')}), ('term', ${termOf('today')})`));
    this.addSql(ownersPath('add_to_payment_totals(timestamptz, text, int, text, int, int, int, int)'));
    this.addSql(recount(true));
  }

  override down(): void {
    this.addSql(addTo(dayAndMonth));
    this.addSql(ownersPath('add_to_payment_totals(timestamptz, text, int, text, int, int, int, int)'));
    this.addSql(recount(false));
    this.addSql(`delete from payment_prepa_total where span in ('third', 'term');`);
  }
}
