import { Migration } from '@mikro-orm/migrations';

/**
 * Full titles of items, which learners see in place of their titles (decision 134). The search words of an item follow them.
 * The previous release writes no full title: its saves leave the column as it is.
 */
export class FullTitles extends Migration {
  override name = '20261128195537-full-titles';

  override up(): void {
    for (const table of ['item', 'item_version']) this.addSql(`alter table ${table} add column intitule varchar(200) null;`);
    this.addSql(`alter table item_draft add column intitule varchar(400) not null default '';`);
    this.addSql(`
      create trigger item_intitule_updated after update of intitule on item for each row
      when (old.intitule is distinct from new.intitule) execute function note_item_texts();`);
  }

  override down(): void {
    this.addSql(`drop trigger item_intitule_updated on item;`);
    for (const table of ['item_draft', 'item_version', 'item']) this.addSql(`alter table ${table} drop column intitule;`);
  }
}
