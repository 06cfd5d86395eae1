import { Migration } from '@mikro-orm/migrations';

/** Series of questions as a fourth kind of item, with their marking rule (decision 116). */
export class SeriesKind extends Migration {
  override name = '20261128052000-series-kind';

  override up(): void {
    this.addSql(`alter table item drop constraint item_kind_check;`);
    this.addSql(`alter table item add constraint item_kind_check check (kind in ('course', 'exercise', 'pastExam', 'quiz')) not valid;`);
    for (const table of ['item', 'item_version']) this.addSql(`alter table ${table} add column bareme jsonb null;`);
  }

  override down(): void {
    this.addSql(`delete from item where kind = 'quiz';`);
    for (const table of ['item', 'item_version']) this.addSql(`alter table ${table} drop column bareme;`);
    this.addSql(`alter table item drop constraint item_kind_check;`);
    this.addSql(`alter table item add constraint item_kind_check check (kind in ('course', 'exercise', 'pastExam'));`);
  }
}
