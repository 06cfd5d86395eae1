import { Migration } from '@mikro-orm/migrations';

/** Errors in items, reported by learners. */
export class ItemReports extends Migration {
  override name = '20261122174651-item-reports';

  override up(): void {
    this.addSql(`
      create table item_report (
        id serial primary key,
        item_id int not null constraint item_report_item_id_foreign references item (id) on delete cascade,
        user_id uuid not null constraint item_report_user_id_foreign references app_user (id) on delete cascade,
        kind text not null constraint item_report_kind_check check (kind in ('texte', 'formule', 'corrige', 'image', 'autre')),
        place varchar(200) not null,
        message varchar(1000) not null,
        created_at timestamptz not null,
        closed_at timestamptz null,
        answer varchar(1000) null
      );
    `);
    this.addSql(`create index item_report_item_index on item_report (item_id);`);
    this.addSql(`create index item_report_user_date_index on item_report (user_id, created_at);`);
    this.addSql(`create index item_report_open_index on item_report (id) where closed_at is null;`);
  }

  override down(): void {
    this.addSql(`drop table item_report;`);
  }
}
