import { Migration } from '@mikro-orm/migrations';

/** Returns SQL: a change of one of these columns queues the item's search words. */
const noteTexts = (columns: readonly string[]): string => `
  create or replace trigger item_texts_updated after update of ${columns.join(', ')} on item for each row
  when (${columns.map((column) => `old.${column} is distinct from new.${column}`).join(' or ')}) execute function note_item_texts();`;

/**
 * Full titles of items, which learners see in place of their titles (decision 134). The search words of an item follow them.
 * The previous release writes no full title: its saves leave the column as it is.
 */
export class FullTitles extends Migration {
  override name = '20261128195537-full-titles';

  override up(): void {
    for (const table of ['item', 'item_version']) this.addSql(`alter table ${table} add column intitule varchar(200) null;`);
    this.addSql(`alter table item_draft add column intitule varchar(400) not null default '';`);
    this.addSql(noteTexts(['discipline_id', 'titre', 'contenu', 'corrige', 'intitule']));
  }

  override down(): void {
    this.addSql(noteTexts(['discipline_id', 'titre', 'contenu', 'corrige']));
    for (const table of ['item_draft', 'item_version', 'item']) this.addSql(`alter table ${table} drop column intitule;`);
  }
}
