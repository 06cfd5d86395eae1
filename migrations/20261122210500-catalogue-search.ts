import { Migration } from '@mikro-orm/migrations';

/**
 * The text for searches of prepas: name and description, folded as `foldText` folds the query. Adding the column rewrites and locks the
 * table: milliseconds for some thousands of rows.
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
