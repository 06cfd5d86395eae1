import { Migration } from '@mikro-orm/migrations';

export class ConfirmedEmails extends Migration {
  override name = '20261123131000-confirmed-emails';

  override up(): void {
    this.addSql(
      `alter table "app_user" add "email_confirmed_at" timestamptz null, add "confirmation_hash" varchar(64) null, add "confirmation_expires_at" timestamptz null;`,
    );
  }

  override down(): void {
    this.addSql(
      `alter table "app_user" drop column "email_confirmed_at", drop column "confirmation_hash", drop column "confirmation_expires_at";`,
    );
  }
}
