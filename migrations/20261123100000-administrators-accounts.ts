import { Migration } from '@mikro-orm/migrations';

/** Second factors, password resets and sign-ins that wait for a code of administrators, and the network of each action. */
export class AdministratorsAccounts extends Migration {
  override name = '20261123100000-administrators-accounts';

  override up(): void {
    this.addSql(
      `create table "administrator_reset" ("id" varchar(64) not null, "administrator_id" uuid not null, "created_at" timestamptz not null, "expires_at" timestamptz not null, "used_at" timestamptz null, primary key ("id"));`,
    );
    this.addSql(`create index "administrator_reset_administrator_index" on "administrator_reset" ("administrator_id");`);
    this.addSql(`create index "administrator_reset_expiry_index" on "administrator_reset" ("expires_at");`);

    this.addSql(
      `create table "pending_sign_in" ("id" varchar(64) not null, "administrator_id" uuid not null, "expires_at" timestamptz not null, primary key ("id"));`,
    );
    this.addSql(`create index "pending_sign_in_administrator_index" on "pending_sign_in" ("administrator_id");`);
    this.addSql(`create index "pending_sign_in_expiry_index" on "pending_sign_in" ("expires_at");`);

    this.addSql(
      `create table "recovery_code" ("id" varchar(64) not null, "administrator_id" uuid not null, "used_at" timestamptz null, primary key ("id"));`,
    );
    this.addSql(`create index "recovery_code_administrator_index" on "recovery_code" ("administrator_id");`);

    this.addSql(
      `create table "second_factor" ("administrator_id" uuid not null, "secret" varchar(255) null, "confirmed_at" timestamptz null, "last_step" int null, "pending_secret" varchar(255) null, primary key ("administrator_id"));`,
    );

    this.addSql(
      `alter table "administrator_session" add "confirmed_at" timestamptz null, add "device" varchar(60) null, add "network" varchar(60) null;`,
    );

    this.addSql(`alter table "audit_entry" add "network" varchar(60) null;`);

    this.addSql(
      `alter table "administrator_reset" add constraint "administrator_reset_administrator_id_foreign" foreign key ("administrator_id") references "administrator" ("id") on delete cascade;`,
    );

    this.addSql(
      `alter table "pending_sign_in" add constraint "pending_sign_in_administrator_id_foreign" foreign key ("administrator_id") references "administrator" ("id") on delete cascade;`,
    );

    this.addSql(
      `alter table "recovery_code" add constraint "recovery_code_administrator_id_foreign" foreign key ("administrator_id") references "administrator" ("id") on delete cascade;`,
    );

    this.addSql(
      `alter table "second_factor" add constraint "second_factor_administrator_id_foreign" foreign key ("administrator_id") references "administrator" ("id") on update cascade on delete cascade;`,
    );
  }

  override down(): void {
    this.addSql(`drop table if exists "administrator_reset" cascade;`);
    this.addSql(`drop table if exists "pending_sign_in" cascade;`);
    this.addSql(`drop table if exists "recovery_code" cascade;`);
    this.addSql(`drop table if exists "second_factor" cascade;`);

    this.addSql(`alter table "administrator_session" drop column "confirmed_at", drop column "device", drop column "network";`);

    this.addSql(`alter table "audit_entry" drop column "network";`);
  }
}
