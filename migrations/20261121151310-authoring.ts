import { Migration } from '@mikro-orm/migrations';

export class Authoring extends Migration {
  override name = '20261121151310-authoring';

  override up(): void | Promise<void> {
    this.addSql(`create table "content_image" ("name" varchar(80) not null, "uploaded_at" timestamptz not null, primary key ("name"));`);
    this.addSql(`create index "content_image_uploaded_index" on "content_image" ("uploaded_at");`);

    this.addSql(
      `create table "item_version" ("id" serial primary key, "item_id" int not null, "version" int not null, "titre" varchar(100) not null, "annee" int null, "contenu" text not null, "corrige" text null, "saved_at" timestamptz not null, "saved_by" varchar(60) null);`,
    );
    this.addSql(`alter table "item_version" add constraint "item_version_item_version_unique" unique ("item_id", "version");`);

    this.addSql(
      `create table "item_image" ("item_id" int not null, "image_name" varchar(80) not null, primary key ("item_id", "image_name"));`,
    );
    this.addSql(`create index "item_image_image_index" on "item_image" ("image_name");`);

    this.addSql(
      `create table "item_document" ("id" serial primary key, "item_id" int not null, "nom" varchar(150) not null, "file" varchar(80) not null, "octets" int not null, "created_at" timestamptz not null);`,
    );
    this.addSql(`create index "item_document_item_index" on "item_document" ("item_id");`);
    this.addSql(`create index "item_document_file_index" on "item_document" ("file");`);

    this.addSql(
      `alter table "item_version" add constraint "item_version_item_id_foreign" foreign key ("item_id") references "item" ("id") on delete cascade;`,
    );

    this.addSql(
      `alter table "item_image" add constraint "item_image_item_id_foreign" foreign key ("item_id") references "item" ("id") on update cascade on delete cascade;`,
    );
    this.addSql(
      `alter table "item_image" add constraint "item_image_image_name_foreign" foreign key ("image_name") references "content_image" ("name") on update cascade on delete restrict;`,
    );

    this.addSql(
      `alter table "item_document" add constraint "item_document_item_id_foreign" foreign key ("item_id") references "item" ("id") on delete cascade;`,
    );

    // Pictures that texts already show.
    this.addSql(`
      create temporary table shown_image on commit drop as
      select distinct item.id as item_id, shown[1] as name
      from item, regexp_matches(contenu || coalesce(corrige, ''), '/media/(content/[0-9a-f]{32}\\.webp)', 'g') shown;`);
    this.addSql(`insert into content_image (name, uploaded_at) select distinct name, now() from shown_image;`);
    this.addSql(`insert into item_image (item_id, image_name) select item_id, name from shown_image;`);

    // Study pages show an item's documents and are cached by the outline version, so a changed document must change the version.
    this.addSql(`
      create function count_document_change() returns trigger language plpgsql as $$
      begin
        update discipline set outline_version = outline_version + 1
        where id in (select discipline_id from item where id in (select item_id from changed));
        return null;
      end $$;`);
    for (const [event, table] of [
      ['insert', 'new'],
      ['update', 'new'],
      ['delete', 'old'],
    ]) {
      this.addSql(`
        create trigger item_document_${event} after ${event} on item_document referencing ${table} table as changed
        for each statement execute function count_document_change();`);
    }
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "item_image" drop constraint "item_image_image_name_foreign";`);

    this.addSql(`drop table if exists "content_image" cascade;`);
    this.addSql(`drop table if exists "item_version" cascade;`);
    this.addSql(`drop table if exists "item_image" cascade;`);
    this.addSql(`drop table if exists "item_document" cascade;`);
    this.addSql(`drop function count_document_change();`);
  }
}
