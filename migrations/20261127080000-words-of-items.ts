import { Migration } from '@mikro-orm/migrations';

/**
 * The words by which items are found, written by `src/shared/search` and not by PostgreSQL, so that searches on a device and on the site
 * find the same. Null if an item's texts have changed since, also by the previous release, which writes no words. Servers fill such rows.
 */
export class WordsOfItems extends Migration {
  override name = '20261127080000-words-of-items';

  override up(): void {
    this.addSql(
      `create table item_words (
         item_id int not null constraint item_words_pkey primary key
           constraint item_words_item_id_foreign references item (id) on update cascade on delete cascade,
         words tsvector null);`,
    );
    this.addSql(`create index item_words_waiting_index on item_words (item_id) where words is null;`);
    this.addSql(`
      create function note_item_texts() returns trigger language plpgsql as $$
      begin
        insert into item_words (item_id) values (new.id) on conflict (item_id) do update set words = null;
        return null;
      end $$;`);
    this.addSql(`alter function note_item_texts() set search_path from current;`);
    this.addSql(`create trigger item_texts_inserted after insert on item for each row execute function note_item_texts();`);
    this.addSql(`
      create trigger item_texts_updated after update of discipline_id, titre, contenu, corrige on item for each row
      when (old.discipline_id <> new.discipline_id or old.titre <> new.titre or old.contenu <> new.contenu or old.corrige is distinct from new.corrige)
      execute function note_item_texts();`);
  }

  override down(): void {
    this.addSql(`drop trigger item_texts_updated on item;`);
    this.addSql(`drop trigger item_texts_inserted on item;`);
    this.addSql(`drop function note_item_texts();`);
    this.addSql(`drop table item_words;`);
  }
}
