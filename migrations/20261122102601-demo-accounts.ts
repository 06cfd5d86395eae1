import { Migration } from '@mikro-orm/migrations';

/** Accounts of the demonstration are marked: production does not start with them. */
export class DemoAccounts extends Migration {
  override name = '20261122102601-demo-accounts';

  override up(): void {
    this.addSql(`alter table "administrator" add "is_demo" boolean not null default false;`);
    this.addSql(`alter table "app_user" add "is_demo" boolean not null default false;`);
    // Those that were made before there was a mark. People may have these names too: an administrator who is somebody has registered with keys, and the
    // demonstration's learner was made beside its administrator.
    this.addSql(`
      update administrator a set is_demo = true
      where lower(email) = 'admin@gmail.com' and username = 'admin' and not exists (select from administration_keys where used_by_id = a.id);`);
    this.addSql(`
      update app_user set is_demo = true
      where lower(email) = 'demo@gmail.com' and username = 'demo' and exists (select from administrator where is_demo);`);
  }

  override down(): void {
    this.addSql(`alter table "administrator" drop column "is_demo";`);
    this.addSql(`alter table "app_user" drop column "is_demo";`);
  }
}
