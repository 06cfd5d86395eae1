import { Migration } from '@mikro-orm/migrations';

/** Devices known to accounts, and an attempt limiter that finds keys by prefix. */
export class KnownDevices extends Migration {
  override name = '20261122100847-known-devices';

  override up(): void {
    this.addSql(
      `create table "known_device" ("id" serial primary key, "device" varchar(64) not null, "user_id" uuid null, "administrator_id" uuid null, "known_at" timestamptz not null);`,
    );
    this.addSql(`create index "known_device_device_index" on "known_device" ("device");`);
    this.addSql(`create index "known_device_user_index" on "known_device" ("user_id");`);
    this.addSql(`create index "known_device_administrator_index" on "known_device" ("administrator_id");`);
    this.addSql(
      `alter table "known_device" add constraint "known_device_user_id_foreign" foreign key ("user_id") references "app_user" ("id") on delete cascade;`,
    );
    this.addSql(
      `alter table "known_device" add constraint "known_device_administrator_id_foreign" foreign key ("administrator_id") references "administrator" ("id") on delete cascade;`,
    );
    this.addSql(
      `alter table "known_device" add constraint "known_device_account_check" check (num_nonnulls(user_id, administrator_id) = 1);`,
    );
    // Collation "C": only then can the primary key find keys by prefix, which finds an account's attempts from all addresses.
    this.addSql(`alter table attempt_limit alter column key type varchar(255) collate "C";`);
  }

  override down(): void {
    this.addSql(`alter table attempt_limit alter column key type varchar(255) collate "default";`);
    this.addSql(`drop table "known_device";`);
  }
}
