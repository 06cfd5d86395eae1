import { Migration } from '@mikro-orm/migrations';

/** Counts earlier payments and refunds, month by month. A payment settled meanwhile waits for one month's count at most. */
export class PaymentTotalsOfBefore extends Migration {
  override name = '20261122210530-payment-totals-of-before';

  /** Each month has its own transaction. */
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    this.addSql(`
      do $$
      declare
        -- A day earlier and later, for what is another day in Douala.
        since date := date_trunc('month', (select least(min(p.settled_at), (select min(at) from payment_event where returned is not null)) from payment p) - interval '1 day');
        until constant date := (select greatest(max(p.settled_at), (select max(at) from payment_event where returned is not null)) from payment p) + interval '1 day';
      begin
        while since < until loop
          perform recount_payment_totals(since, (since + interval '1 month')::date);
          commit;
          since := since + interval '1 month';
        end loop;
      end $$;`);
  }

  override down(): void {
    this.addSql(`truncate payment_day_total, payment_prepa_total;`);
  }
}
