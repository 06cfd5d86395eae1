import { Migration } from '@mikro-orm/migrations';

export class LearnerSpace extends Migration {
  override name = '20261121190817-learner-space';

  override up(): void | Promise<void> {
    // Search: French stems without accents, over the visible text. First, because it takes longest and signed-in pages need the other tables.
    this.addSql(`create extension if not exists unaccent;`);
    this.addSql(`create text search configuration prepa_fr (copy = french);`);
    this.addSql(`alter text search configuration prepa_fr alter mapping for hword, hword_part, word with unaccent, french_stem;`);
    this.addSql(`
      create function plain_text(html text) returns text language sql immutable parallel safe as $$
        select left(regexp_replace(
          replace(replace(replace(replace(replace(
            regexp_replace(regexp_replace(regexp_replace(coalesce(html, ''),
              '<math[ >].*?</math>', ' ', 'g'), '</?(sub|sup|strong|em|u|s|a|code|span)( [^>]*)?>', '', 'g'), '<[^>]*>', ' ', 'g'),
            '&nbsp;', ' '), '&lt;', '<'), '&gt;', '>'), '&quot;', '"'), '&amp;', '&'),
          '\\s+', ' ', 'g'), 150000)
      $$;`);
    this.addSql(`
      alter table item
        add texte text generated always as (plain_text(contenu)) stored,
        add texte_corrige text generated always as (plain_text(corrige)) stored,
        add recherche tsvector generated always as (
          setweight(to_tsvector('prepa_fr', titre), 'A') || setweight(to_tsvector('prepa_fr', plain_text(contenu)), 'B')
          || setweight(to_tsvector('prepa_fr', plain_text(corrige)), 'C')) stored;`);
    this.addSql(`create index "item_recherche_index" on "item" using gin ("recherche");`);

    this.addSql(
      `create table "practice" ("user_id" uuid not null, "item_id" int not null, "verdict" text not null, "marked_at" timestamptz not null, "times" int not null default 1, primary key ("user_id", "item_id"));`,
    );
    this.addSql(`create index "practice_item_index" on "practice" ("item_id");`);
    this.addSql(`create index "practice_user_verdict_index" on "practice" ("user_id", "verdict", "marked_at");`);

    this.addSql(
      `create table "password_reset" ("id" varchar(64) not null, "user_id" uuid not null, "created_at" timestamptz not null, "expires_at" timestamptz not null, "used_at" timestamptz null, primary key ("id"));`,
    );
    this.addSql(`create index "password_reset_user_index" on "password_reset" ("user_id");`);

    this.addSql(
      `create table "item_reading" ("user_id" uuid not null, "item_id" int not null, "read_at" timestamptz not null, primary key ("user_id", "item_id"));`,
    );
    this.addSql(`create index "item_reading_item_index" on "item_reading" ("item_id");`);
    this.addSql(`create index "item_reading_user_date_index" on "item_reading" ("user_id", "read_at");`);

    this.addSql(`alter table "item" add "duree" smallint null;`);

    this.addSql(`alter table "item_version" add "duree" smallint null;`);

    this.addSql(`alter table "session" add "device" varchar(60) null;`);

    this.addSql(`alter table "notification" add "key" varchar(80) null;`);
    this.addSql(`alter table "notification" add constraint "notification_user_key_unique" unique ("user_id", "key");`);

    this.addSql(`alter table "enrolment" add "announced_days" smallint null;`);

    this.addSql(
      `alter table "practice" add constraint "practice_user_id_foreign" foreign key ("user_id") references "app_user" ("id") on update cascade on delete cascade;`,
    );
    this.addSql(
      `alter table "practice" add constraint "practice_item_id_foreign" foreign key ("item_id") references "item" ("id") on update cascade on delete cascade;`,
    );
    this.addSql(`alter table "practice" add constraint "practice_verdict_check" check ("verdict" in ('reussi', 'a_revoir'));`);

    this.addSql(
      `alter table "password_reset" add constraint "password_reset_user_id_foreign" foreign key ("user_id") references "app_user" ("id") on delete cascade;`,
    );

    this.addSql(
      `alter table "item_reading" add constraint "item_reading_user_id_foreign" foreign key ("user_id") references "app_user" ("id") on update cascade on delete cascade;`,
    );
    this.addSql(
      `alter table "item_reading" add constraint "item_reading_item_id_foreign" foreign key ("item_id") references "item" ("id") on update cascade on delete cascade;`,
    );

    // Ends before this migration are not announced.
    this.addSql(`update enrolment set announced_days = 0 where statut <> 'active' or date_expiration <= now();`);
    this.addSql(
      `create index "enrolment_unannounced_end_index" on "enrolment" ("id") where statut = 'expired' and announced_days is distinct from 0;`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table item drop column recherche, drop column texte, drop column texte_corrige;`);
    this.addSql(`drop function plain_text(text);`);
    this.addSql(`drop text search configuration prepa_fr;`);
    this.addSql(`drop table if exists "practice" cascade;`);
    this.addSql(`drop table if exists "password_reset" cascade;`);
    this.addSql(`drop table if exists "item_reading" cascade;`);

    this.addSql(`alter table "enrolment" drop column "announced_days";`);

    this.addSql(`alter table "item" drop column "duree";`);

    this.addSql(`alter table "item_version" drop column "duree";`);

    this.addSql(`alter table "notification" drop constraint "notification_user_key_unique";`);
    this.addSql(`alter table "notification" drop column "key";`);

    this.addSql(`alter table "session" drop column "device";`);
  }
}
