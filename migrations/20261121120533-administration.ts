import { Migration } from '@mikro-orm/migrations';

export class Administration extends Migration {
  override name = '20261121120533-administration';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "administrator" ("id" uuid not null, "username" varchar(30) not null, "email" varchar(255) not null, "password_hash" text not null, "role" text not null, "disabled_at" timestamptz null, "created_at" timestamptz not null, primary key ("id"));`,
    );

    this.addSql(
      `create table "administration_keys" ("id" serial primary key, "role" text not null, "first_hash" varchar(64) not null, "second_hash" varchar(64) not null, "issued_by_id" uuid null, "created_at" timestamptz not null, "expires_at" timestamptz not null, "used_at" timestamptz null, "used_by_id" uuid null, "revoked_at" timestamptz null);`,
    );
    this.addSql(`alter table "administration_keys" add constraint "administration_keys_first_unique" unique ("first_hash");`);
    this.addSql(`create index "administration_keys_issued_by_index" on "administration_keys" ("issued_by_id");`);
    this.addSql(`create index "administration_keys_used_by_index" on "administration_keys" ("used_by_id");`);

    this.addSql(
      `create table "administrator_session" ("id" varchar(64) not null, "administrator_id" uuid not null, "expires_at" timestamptz not null, "created_at" timestamptz not null, primary key ("id"));`,
    );
    this.addSql(`create index "administrator_session_administrator_index" on "administrator_session" ("administrator_id");`);
    this.addSql(`create index "administrator_session_expiry_index" on "administrator_session" ("expires_at");`);

    this.addSql(
      `create table "audit_entry" ("id" serial primary key, "at" timestamptz not null, "administrator_id" uuid null, "actor" varchar(60) not null, "action" varchar(30) not null, "subject" varchar(30) not null, "subject_id" varchar(40) null, "label" varchar(200) not null, "before" jsonb null, "after" jsonb null);`,
    );
    this.addSql(`create index "audit_entry_administrator_index" on "audit_entry" ("administrator_id");`);
    this.addSql(`create index "audit_entry_at_index" on "audit_entry" ("at", "id");`);
    this.addSql(`create index "audit_entry_subject_index" on "audit_entry" ("subject", "subject_id");`);

    this.addSql(`alter table "prepa" rename column "auteur" to "auteur_id";`);
    this.addSql(
      `alter table "prepa" add constraint "prepa_auteur_id_foreign" foreign key ("auteur_id") references "administrator" ("id") on delete restrict;`,
    );
    this.addSql(`create index "prepa_auteur_index" on "prepa" ("auteur_id");`);

    this.addSql(`alter table "administrator" add constraint "administrator_role_check" check ("role" in ('admin', 'super_admin'));`);

    this.addSql(
      `alter table "administration_keys" add constraint "administration_keys_issued_by_id_foreign" foreign key ("issued_by_id") references "administrator" ("id") on delete restrict;`,
    );
    this.addSql(
      `alter table "administration_keys" add constraint "administration_keys_used_by_id_foreign" foreign key ("used_by_id") references "administrator" ("id") on delete restrict;`,
    );
    this.addSql(
      `alter table "administration_keys" add constraint "administration_keys_role_check" check ("role" in ('admin', 'super_admin'));`,
    );

    this.addSql(
      `alter table "administrator_session" add constraint "administrator_session_administrator_id_foreign" foreign key ("administrator_id") references "administrator" ("id") on delete cascade;`,
    );

    this.addSql(
      `alter table "audit_entry" add constraint "audit_entry_administrator_id_foreign" foreign key ("administrator_id") references "administrator" ("id") on delete restrict;`,
    );

    // Rules that entities cannot express: case-insensitive uniqueness and an append-only log.
    this.addSql(`create unique index administrator_email_unique on administrator (lower(email));`);
    this.addSql(`create unique index administrator_username_unique on administrator (lower(username));`);
    this.addSql(`
      create trigger audit_entry_append_only before update or delete or truncate on audit_entry
      for each statement execute function refuse_change();`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "administration_keys" drop constraint "administration_keys_issued_by_id_foreign";`);
    this.addSql(`alter table "administration_keys" drop constraint "administration_keys_used_by_id_foreign";`);
    this.addSql(`alter table "administrator_session" drop constraint "administrator_session_administrator_id_foreign";`);
    this.addSql(`alter table "audit_entry" drop constraint "audit_entry_administrator_id_foreign";`);
    this.addSql(`alter table "prepa" drop constraint "prepa_auteur_id_foreign";`);

    this.addSql(`drop table if exists "administrator" cascade;`);
    this.addSql(`drop table if exists "administration_keys" cascade;`);
    this.addSql(`drop table if exists "administrator_session" cascade;`);
    this.addSql(`drop table if exists "audit_entry" cascade;`);

    this.addSql(`drop index "prepa_auteur_index";`);
    this.addSql(`alter table "prepa" rename column "auteur_id" to "auteur";`);
  }
}
