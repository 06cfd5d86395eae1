import { Migration } from '@mikro-orm/migrations';

/** Refunds have an amount: the total refunded of a payment, and the amount of each event. */
export class PartialRefunds extends Migration {
  override name = '20261122101341-partial-refunds';

  override up(): void {
    this.addSql(`alter table "payment" add "refunded_amount" int not null default 0, add "needs_look" boolean not null default false;`);
    this.addSql(`alter table "payment_event" add "returned" int null;`);

    // Until now, every refund was a full refund.
    this.addSql(`update payment set refunded_amount = amount where status = 'refunded';`);
    this.addSql(`alter table payment_event disable trigger payment_event_append_only;`);
    this.addSql(`
      update payment_event e set returned = p.amount from payment p
      where p.id = e.payment_id and e.to_status = 'refunded' and p.status = 'refunded';`);
    this.addSql(`alter table payment_event enable trigger payment_event_append_only;`);

    // The refunded amount never exceeds the paid one and never decreases.
    this.addSql(`alter table payment add constraint payment_refunded_amount_within check (refunded_amount between 0 and amount);`);
    this.addSql(`alter table payment_event add constraint payment_event_returned_positive check (returned > 0);`);
    this.addSql(`
      create trigger payment_refunded_amount_grows before update of refunded_amount on payment
      for each row when (new.refunded_amount < old.refunded_amount) execute function refuse_change();`);

    // Refunds are summed by the day of their recording.
    this.addSql(`drop index payment_refunded_index;`);
    this.addSql(`create index payment_event_returned_index on payment_event (at) where returned is not null;`);
    // A partial index: few payments need a look, and alerts and the list read only those.
    this.addSql(`create index payment_needs_look_index on payment (id) where needs_look;`);
  }

  override down(): void {
    this.addSql(`drop trigger payment_refunded_amount_grows on payment;`);
    this.addSql(`create index payment_refunded_index on payment (updated_at) where status = 'refunded';`);
    this.addSql(`alter table "payment" drop column "refunded_amount", drop column "needs_look";`);
    this.addSql(`alter table "payment_event" drop column "returned";`);
  }
}
