import { Migration } from '@mikro-orm/migrations';

/**
 * What searches of prepas look in: name and description, folded as `foldText` folds what is typed. The column is written for every row, which locks the table
 * for as long as that takes: some thousands of rows, milliseconds.
 */
export class CatalogueSearch extends Migration {
  override name = '20261122210500-catalogue-search';

  override up(): void {
    this.addSql(`create extension if not exists pg_trgm;`);
    this.addSql(`
      create function fold_text(written text) returns text language sql immutable parallel safe
        return trim(regexp_replace(lower(unaccent('unaccent'::regdictionary, coalesce(written, ''))), '\\s+', ' ', 'g'));`);
    this.addSql(
      `alter table prepa /* accepted: some thousands of rows at most */ add recherche text generated always as (fold_text(nom) || E'\\n' || fold_text(description)) stored;`,
    );
  }

  override down(): void {
    this.addSql(`alter table prepa drop column recherche;`);
    this.addSql(`drop function fold_text(text);`);
  }
}
