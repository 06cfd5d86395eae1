import { Migration } from '@mikro-orm/migrations';

/** Columns and indexes for support and reconciliation, and an append-only history of days. */
export class PaymentOperations extends Migration {
  override name = '20261121213234-payment-operations';

  override up(): void {
    this.addSql(`alter table "payment" add "payer_phone_last" varchar(4) null;`);
    this.addSql(`create index "payment_provider_transaction_index" on "payment" ("provider_transaction_id");`);
    this.addSql(`create index "payment_phone_index" on "payment" ("payer_phone_last", "id");`);
    this.addSql(`create index "payment_created_index" on "payment" ("created_at");`);
    this.addSql(`create index "payment_settled_index" on "payment" ("settled_at");`);

    this.addSql(
      `alter table "payment_notification" add "candidates" jsonb not null default '[]', add "signed" boolean not null default false, add "event_key" varchar(128) null, add "headers" jsonb null;`,
    );

    this.addSql(`alter table "payment_event" add "operator" varchar(100) null;`);

    this.addSql(`alter table "enrolment_extension" add "reverses_id" int null, add "operator" varchar(100) null;`);
    this.addSql(
      `alter table "enrolment_extension" add constraint "enrolment_extension_reverses_id_foreign" foreign key ("reverses_id") references "enrolment_extension" ("id") on delete restrict;`,
    );
    this.addSql(`alter table "enrolment_extension" add constraint "enrolment_extension_reverses_unique" unique ("reverses_id");`);
    // Days are added and withdrawn by new rows only.
    this.addSql(`
      create trigger enrolment_extension_append_only before update or delete or truncate on enrolment_extension
      for each statement execute function refuse_change();`);

    // Notifications to be matched with a payment, latest first. A forged notification has no candidates.
    this.addSql(`drop index payment_notification_waiting_index;`);
    this.addSql(
      `create index payment_notification_waiting_index on payment_notification (received_at) where processed_at is null and candidates <> '[]';`,
    );
    // To find out whether an event was already processed.
    this.addSql(`create index payment_notification_event_index on payment_notification (event_key) where signed;`);

    // A partial index: few payments are undecided, and alerts and metrics read only those.
    this.addSql(`create index payment_open_index on payment (created_at) where status in ('created', 'pending', 'review');`);
    // Refunds are summed by the day of their recording, and a refunded payment is not updated again.
    this.addSql(`create index payment_refunded_index on payment (updated_at) where status = 'refunded';`);
    // Earlier notifications are matched by their reference.
    this.addSql(
      `update payment_notification set candidates = jsonb_build_array(reference) where reference is not null and processed_at is null;`,
    );
  }

  override down(): void {
    this.addSql(`drop index payment_refunded_index;`);
    this.addSql(`drop index payment_open_index;`);
    this.addSql(`drop index payment_notification_event_index;`);
    this.addSql(`drop index payment_notification_waiting_index;`);
    this.addSql(`create index payment_notification_waiting_index on payment_notification (id) where processed_at is null;`);
    this.addSql(`drop trigger enrolment_extension_append_only on enrolment_extension;`);
    this.addSql(`alter table "enrolment_extension" drop constraint "enrolment_extension_reverses_id_foreign";`);

    this.addSql(`alter table "enrolment_extension" drop constraint "enrolment_extension_reverses_unique";`);
    this.addSql(`alter table "enrolment_extension" drop column "reverses_id", drop column "operator";`);

    this.addSql(`drop index "payment_provider_transaction_index";`);
    this.addSql(`drop index "payment_phone_index";`);
    this.addSql(`drop index "payment_created_index";`);
    this.addSql(`drop index "payment_settled_index";`);
    this.addSql(`alter table "payment" drop column "payer_phone_last";`);

    this.addSql(`alter table "payment_event" drop column "operator";`);

    this.addSql(
      `alter table "payment_notification" drop column "candidates", drop column "signed", drop column "event_key", drop column "headers";`,
    );
  }
}
