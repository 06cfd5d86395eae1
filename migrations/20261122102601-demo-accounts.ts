import { Migration } from '@mikro-orm/migrations';

/** Accounts of the demonstration are marked: production does not start with them. */
export class DemoAccounts extends Migration {
  override name = '20261122102601-demo-accounts';

  override up(): void {
    this.addSql(`alter table "administrator" add "is_demo" boolean not null default false;`);
    this.addSql(`alter table "app_user" add "is_demo" boolean not null default false;`);
    // Those that were made before there was a mark.
    this.addSql(`update administrator set is_demo = true where lower(email) = 'admin@gmail.com' and username = 'admin';`);
    this.addSql(`update app_user set is_demo = true where lower(email) = 'demo@gmail.com' and username = 'demo';`);
  }

  override down(): void {
    this.addSql(`alter table "administrator" drop column "is_demo";`);
    this.addSql(`alter table "app_user" drop column "is_demo";`);
  }
}
