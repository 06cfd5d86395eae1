import { Migration } from '@mikro-orm/migrations';

/** Values of the provider's account statement besides a payment's amount. */
export class PaymentStatements extends Migration {
  override name = '20261122100412-payment-statements';

  override up(): void {
    this.addSql(`alter table "payment" add "provider_fee" int null, add "amount_charged" int null, add "completed_at" timestamptz null;`);
  }

  override down(): void {
    this.addSql(`alter table "payment" drop column "provider_fee", drop column "amount_charged", drop column "completed_at";`);
  }
}
