import { Migration } from '@mikro-orm/migrations';

/** An index of notifications without a payment, oldest first. They are deleted after 30 days. */
export class UnknownNotifications extends Migration {
  override name = '20261122103500-unknown-notifications';

  override up(): void {
    this.addSql(`create index payment_notification_unknown_index on payment_notification (received_at) where payment_id is null;`);
  }

  override down(): void {
    this.addSql(`drop index payment_notification_unknown_index;`);
  }
}
