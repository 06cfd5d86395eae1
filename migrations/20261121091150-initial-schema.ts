import { Migration } from '@mikro-orm/migrations';

export class InitialSchema extends Migration {
  override name = '20261121091150-initial-schema';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "prepa" ("id" serial primary key, "key" varchar(100) null, "nom" varchar(150) not null, "description" text not null, "prix" int not null, "image" varchar(120) null, "is_published" boolean not null default false, "auteur" uuid null, "version" int not null default 1, "created_at" timestamptz not null, "updated_at" timestamptz not null);`,
    );
    this.addSql(`alter table "prepa" add constraint "prepa_key_unique" unique ("key");`);

    this.addSql(
      `create table "discipline" ("id" serial primary key, "key" varchar(100) null, "prepa_id" int not null, "nom" varchar(100) not null, "description" varchar(500) not null, "image" varchar(120) null, "version" int not null default 1, "outline_version" int not null default 1, "created_at" timestamptz not null, "updated_at" timestamptz not null);`,
    );
    this.addSql(`create index "discipline_prepa_index" on "discipline" ("prepa_id");`);
    this.addSql(`alter table "discipline" add constraint "discipline_prepa_key_unique" unique ("prepa_id", "key");`);

    this.addSql(
      `create table "item" ("id" serial primary key, "discipline_id" int not null, "kind" text not null, "key" varchar(100) null, "titre" varchar(100) not null, "numero_page" int not null, "annee" int null, "contenu" text not null, "corrige" text null, "version" int not null default 1, "created_at" timestamptz not null, "updated_at" timestamptz not null);`,
    );
    this.addSql(`create index "item_discipline_index" on "item" ("discipline_id");`);
    this.addSql(
      `alter table "item" add constraint "item_discipline_kind_page_unique" unique ("discipline_id", "kind", "numero_page") deferrable initially deferred;`,
    );
    this.addSql(`alter table "item" add constraint "item_discipline_kind_key_unique" unique ("discipline_id", "kind", "key");`);

    this.addSql(
      `create table "app_user" ("id" uuid not null, "username" varchar(30) not null, "email" varchar(255) not null, "password_hash" text not null, "created_at" timestamptz not null, primary key ("id"));`,
    );

    this.addSql(
      `create table "session" ("id" varchar(64) not null, "user_id" uuid not null, "expires_at" timestamptz not null, "created_at" timestamptz not null, primary key ("id"));`,
    );
    this.addSql(`create index "session_user_index" on "session" ("user_id");`);
    this.addSql(`create index "session_expiry_index" on "session" ("expires_at");`);

    this.addSql(
      `create table "payment" ("id" serial primary key, "provider" varchar(20) not null, "reference" varchar(84) not null, "user_id" uuid not null, "prepa_id" int null, "prepa_nom" varchar(150) not null, "amount" int not null, "currency" varchar(3) not null default 'XAF', "status" text not null default 'created', "provider_transaction_id" varchar(120) null, "method" varchar(60) null, "next_check_at" timestamptz null, "checks" int not null default 0, "created_at" timestamptz not null, "updated_at" timestamptz not null, "settled_at" timestamptz null);`,
    );
    this.addSql(`create index "payment_user_index" on "payment" ("user_id");`);
    this.addSql(`create index "payment_prepa_index" on "payment" ("prepa_id");`);
    this.addSql(`create index "payment_due_index" on "payment" ("next_check_at");`);
    this.addSql(`alter table "payment" add constraint "payment_reference_provider_unique" unique ("reference", "provider");`);

    this.addSql(
      `create table "payment_notification" ("id" serial primary key, "provider" varchar(20) not null, "reference" varchar(84) null, "payment_id" int null, "content_type" varchar(200) not null, "body" bytea not null, "received_at" timestamptz not null, "processed_at" timestamptz null);`,
    );
    this.addSql(`create index "payment_notification_payment_index" on "payment_notification" ("payment_id");`);
    this.addSql(`create index "payment_notification_reference_index" on "payment_notification" ("provider", "reference");`);

    this.addSql(
      `create table "payment_event" ("id" serial primary key, "payment_id" int not null, "type" varchar(30) not null, "actor" varchar(30) not null, "from_status" varchar(20) null, "to_status" varchar(20) null, "detail" jsonb null, "at" timestamptz not null);`,
    );
    this.addSql(`create index "payment_event_payment_index" on "payment_event" ("payment_id");`);

    this.addSql(
      `create table "notification" ("id" serial primary key, "user_id" uuid not null, "message" text not null, "lu" boolean not null default false, "date_creation" timestamptz not null);`,
    );
    this.addSql(`create index "notification_user_date_index" on "notification" ("user_id", "date_creation");`);

    this.addSql(
      `create table "enrolment" ("id" serial primary key, "user_id" uuid not null, "prepa_id" int null, "prepa_nom" varchar(150) not null, "statut" text not null, "date_inscription" timestamptz not null, "date_expiration" timestamptz not null);`,
    );
    this.addSql(`create index "enrolment_prepa_index" on "enrolment" ("prepa_id");`);
    this.addSql(`create index "enrolment_statut_expiration_index" on "enrolment" ("statut", "date_expiration");`);
    this.addSql(`alter table "enrolment" add constraint "enrolment_user_prepa_unique" unique ("user_id", "prepa_id");`);

    this.addSql(
      `create table "enrolment_extension" ("id" serial primary key, "enrolment_id" int not null, "payment_id" int null, "days" int not null, "source" varchar(20) not null, "reason" varchar(300) null, "expires_before" timestamptz null, "expires_after" timestamptz not null, "created_at" timestamptz not null);`,
    );
    this.addSql(`create index "enrolment_extension_enrolment_index" on "enrolment_extension" ("enrolment_id");`);
    this.addSql(`alter table "enrolment_extension" add constraint "enrolment_extension_payment_unique" unique ("payment_id");`);

    this.addSql(
      `alter table "discipline" add constraint "discipline_prepa_id_foreign" foreign key ("prepa_id") references "prepa" ("id") on delete cascade;`,
    );

    this.addSql(
      `alter table "item" add constraint "item_discipline_id_foreign" foreign key ("discipline_id") references "discipline" ("id") on delete cascade;`,
    );
    this.addSql(`alter table "item" add constraint "item_kind_check" check ("kind" in ('course', 'exercise', 'pastExam'));`);

    this.addSql(
      `alter table "session" add constraint "session_user_id_foreign" foreign key ("user_id") references "app_user" ("id") on delete cascade;`,
    );

    this.addSql(
      `alter table "payment" add constraint "payment_user_id_foreign" foreign key ("user_id") references "app_user" ("id") on delete restrict;`,
    );
    this.addSql(
      `alter table "payment" add constraint "payment_prepa_id_foreign" foreign key ("prepa_id") references "prepa" ("id") on delete set null;`,
    );
    this.addSql(
      `alter table "payment" add constraint "payment_status_check" check ("status" in ('created', 'pending', 'succeeded', 'failed', 'cancelled', 'expired', 'refunded', 'review'));`,
    );

    this.addSql(
      `alter table "payment_notification" add constraint "payment_notification_payment_id_foreign" foreign key ("payment_id") references "payment" ("id") on delete restrict;`,
    );

    this.addSql(
      `alter table "payment_event" add constraint "payment_event_payment_id_foreign" foreign key ("payment_id") references "payment" ("id") on delete restrict;`,
    );

    this.addSql(
      `alter table "notification" add constraint "notification_user_id_foreign" foreign key ("user_id") references "app_user" ("id") on delete cascade;`,
    );

    this.addSql(
      `alter table "enrolment" add constraint "enrolment_user_id_foreign" foreign key ("user_id") references "app_user" ("id") on delete cascade;`,
    );
    this.addSql(
      `alter table "enrolment" add constraint "enrolment_prepa_id_foreign" foreign key ("prepa_id") references "prepa" ("id") on delete set null;`,
    );
    this.addSql(`alter table "enrolment" add constraint "enrolment_statut_check" check ("statut" in ('active', 'expired', 'cancelled'));`);

    this.addSql(
      `alter table "enrolment_extension" add constraint "enrolment_extension_enrolment_id_foreign" foreign key ("enrolment_id") references "enrolment" ("id") on delete cascade;`,
    );
    this.addSql(
      `alter table "enrolment_extension" add constraint "enrolment_extension_payment_id_foreign" foreign key ("payment_id") references "payment" ("id") on delete restrict;`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "discipline" drop constraint "discipline_prepa_id_foreign";`);
    this.addSql(`alter table "payment" drop constraint "payment_prepa_id_foreign";`);
    this.addSql(`alter table "enrolment" drop constraint "enrolment_prepa_id_foreign";`);
    this.addSql(`alter table "item" drop constraint "item_discipline_id_foreign";`);
    this.addSql(`alter table "session" drop constraint "session_user_id_foreign";`);
    this.addSql(`alter table "payment" drop constraint "payment_user_id_foreign";`);
    this.addSql(`alter table "notification" drop constraint "notification_user_id_foreign";`);
    this.addSql(`alter table "enrolment" drop constraint "enrolment_user_id_foreign";`);
    this.addSql(`alter table "payment_notification" drop constraint "payment_notification_payment_id_foreign";`);
    this.addSql(`alter table "payment_event" drop constraint "payment_event_payment_id_foreign";`);
    this.addSql(`alter table "enrolment_extension" drop constraint "enrolment_extension_payment_id_foreign";`);
    this.addSql(`alter table "enrolment_extension" drop constraint "enrolment_extension_enrolment_id_foreign";`);

    this.addSql(`drop table if exists "prepa" cascade;`);
    this.addSql(`drop table if exists "discipline" cascade;`);
    this.addSql(`drop table if exists "item" cascade;`);
    this.addSql(`drop table if exists "app_user" cascade;`);
    this.addSql(`drop table if exists "session" cascade;`);
    this.addSql(`drop table if exists "payment" cascade;`);
    this.addSql(`drop table if exists "payment_notification" cascade;`);
    this.addSql(`drop table if exists "payment_event" cascade;`);
    this.addSql(`drop table if exists "notification" cascade;`);
    this.addSql(`drop table if exists "enrolment" cascade;`);
    this.addSql(`drop table if exists "enrolment_extension" cascade;`);
  }
}
