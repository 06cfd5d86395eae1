import { Migration } from '@mikro-orm/migrations';

/** Marks demonstration accounts: production does not start with them. */
export class DemoAccounts extends Migration {
  override name = '20261122102601-demo-accounts';

  override up(): void {
    this.addSql(`alter table "administrator" add "is_demo" boolean not null default false;`);
    this.addSql(`alter table "app_user" add "is_demo" boolean not null default false;`);
    // Marks existing demonstration accounts. Real people may have the same names: a real administrator has registered with keys, and the
    // demonstration's learner exists only beside its administrator.
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
