import { Migration } from '@mikro-orm/migrations';

/** Unpublished texts of items, with the images that they show (decision 129). */
export class ItemDrafts extends Migration {
  override name = '20261128170000-item-drafts';

  override up(): void {
    this.addSql(`
      create table item_draft (
        id int primary key,
        discipline_id int not null constraint item_draft_discipline_id_foreign references discipline (id) on delete cascade,
        kind text not null constraint item_draft_kind_check check (kind in ('course', 'exercise', 'pastExam', 'quiz')),
        titre varchar(200) not null,
        annee varchar(100) not null,
        duree varchar(100) not null,
        bareme varchar(100) not null,
        contenu text not null,
        corrige text null,
        keys jsonb not null default '[]',
        version int null,
        revision int not null default 1,
        publish_at timestamptz null,
        fault varchar(1000) null,
        remarks jsonb not null default '[]',
        source varchar(255) null,
        saved_at timestamptz not null,
        saved_by varchar(60) not null
      );`);
    this.addSql(`create index item_draft_discipline_index on item_draft (discipline_id);`);
    this.addSql(`create index item_draft_publish_index on item_draft (publish_at) where publish_at is not null;`);
    this.addSql(`
      create table item_draft_image (
        draft_id int not null constraint item_draft_image_draft_id_foreign references item_draft (id) on delete cascade,
        image_name varchar(80) not null
          constraint item_draft_image_image_name_foreign references content_image (name) on delete restrict,
        primary key (draft_id, image_name)
      );`);
    this.addSql(`create index item_draft_image_image_index on item_draft_image (image_name);`);
  }

  override down(): void {
    for (const table of ['item_draft_image', 'item_draft']) this.addSql(`drop table ${table};`);
  }
}
