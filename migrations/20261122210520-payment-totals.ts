import { Migration } from '@mikro-orm/migrations';

/**
 * Money received and refunded per day, so that a year's totals read its days and not its payments. Triggers update the rows at commit:
 * a day's row is locked last and briefly, so transactions cannot deadlock. A deleted prepa keeps its number and the name of its
 * payments, so there is no foreign key.
 */
export class PaymentTotals extends Migration {
  override name = '20261122210520-payment-totals';

  override up(): void {
    const sums = `received int not null default 0, received_amount bigint not null default 0,
        refunded int not null default 0, refunded_amount bigint not null default 0`;
    // A day's row changes with each payment, so its page keeps free space for new row versions.
    this.addSql(`
      create table payment_day_total (
        day date not null, provider varchar(20) not null, ${sums},
        constraint payment_day_total_pkey primary key (day, provider)) with (fillfactor = 50);`);
    this.addSql(`
      create table payment_prepa_total (
        -- 'day' or 'month': a year is eleven months and the days around them.
        span varchar(5) not null, start date not null, prepa_id int null, prepa_nom varchar(150) not null, ${sums},
        constraint payment_prepa_total_unique unique nulls not distinct (span, start, prepa_id, prepa_nom)) with (fillfactor = 50);`);
    this.addSql(`create index payment_prepa_total_prepa_index on payment_prepa_total (prepa_id, span, start);`);

    this.addSql(`
      -- When, of which provider, prepa and its name; then the four sums.
      create function add_to_payment_totals(timestamptz, text, int, text, int, int, int, int)
      returns void language plpgsql as $$
      declare
        today constant date := ($1 at time zone 'Africa/Douala')::date;
      begin
        insert into payment_day_total as t values (today, $2, $5, $6, $7, $8)
        on conflict (day, provider) do update set received = t.received + $5, received_amount = t.received_amount + $6,
          refunded = t.refunded + $7, refunded_amount = t.refunded_amount + $8;
        insert into payment_prepa_total as t
        values ('day', today, $3, $4, $5, $6, $7, $8), ('month', date_trunc('month', today)::date, $3, $4, $5, $6, $7, $8)
        on conflict (span, start, prepa_id, prepa_nom) do update set received = t.received + $5, received_amount = t.received_amount + $6,
          refunded = t.refunded + $7, refunded_amount = t.refunded_amount + $8;
      end $$;`);
    this.addSql(`
      create function count_payment() returns trigger language plpgsql as $$
      begin
        if tg_op = 'UPDATE' and old.settled_at is not null then
          perform add_to_payment_totals(old.settled_at, old.provider, old.prepa_id, old.prepa_nom, -1, -old.amount, 0, 0);
        end if;
        if new.settled_at is not null then
          perform add_to_payment_totals(new.settled_at, new.provider, new.prepa_id, new.prepa_nom, 1, new.amount, 0, 0);
        end if;
        return null;
      end $$;`);
    this.addSql(`
      create function count_refund() returns trigger language plpgsql as $$
      declare
        paid record;
      begin
        select provider, prepa_id, prepa_nom, settled_at into paid from payment where id = new.payment_id;
        -- The money of one that was never settled was not counted as received.
        if paid.settled_at is not null then
          perform add_to_payment_totals(new.at, paid.provider, paid.prepa_id, paid.prepa_nom, 0, 0, 1, new.returned);
        end if;
        return null;
      end $$;`);

    // Transactions that commit meanwhile wait for the lock and are counted by their triggers.
    this.addSql(`
      create function recount_payment_totals(since date, until date) returns void language plpgsql as $$
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
        select case when grouping(day) = 0 then 'day' else 'month' end, coalesce(day, month), prepa_id, prepa_nom,
               sum(received), sum(received_amount), sum(refunded), sum(refunded_amount)
        from movement, lateral (select date_trunc('month', day)::date as month) m
        group by grouping sets ((day, prepa_id, prepa_nom), (month, prepa_id, prepa_nom));
      end $$;`);
    for (const signature of functions) this.addSql(`alter function ${signature} set search_path from current;`);

    this.addSql(`
      create constraint trigger payment_counted after insert on payment deferrable initially deferred
      for each row when (new.settled_at is not null) execute function count_payment();`);
    this.addSql(`
      create constraint trigger payment_recounted after update of settled_at, amount, provider on payment deferrable initially deferred
      for each row when (old.settled_at is distinct from new.settled_at or old.amount <> new.amount or old.provider <> new.provider)
      execute function count_payment();`);
    this.addSql(`
      create constraint trigger payment_refund_counted after insert on payment_event deferrable initially deferred
      for each row when (new.returned is not null) execute function count_refund();`);
  }

  override down(): void {
    this.addSql(`drop trigger payment_refund_counted on payment_event;`);
    this.addSql(`drop trigger payment_counted on payment; drop trigger payment_recounted on payment;`);
    for (const signature of functions) this.addSql(`drop function ${signature};`);
    this.addSql(`drop table payment_prepa_total; drop table payment_day_total;`);
  }
}

const functions = [
  'count_payment()',
  'count_refund()',
  'add_to_payment_totals(timestamptz, text, int, text, int, int, int, int)',
  'recount_payment_totals(date, date)',
];
