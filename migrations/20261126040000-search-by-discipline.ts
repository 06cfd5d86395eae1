import { OnlineMigration } from '../src/platform/database/online-migration.ts';

/**
 * Indexes words and disciplines together: a search in some disciplines skips the matches in all others. A discipline is indexed as a
 * word that no text contains. The previous release still uses item_recherche_index, which the next release may drop.
 */
export class SearchByDiscipline extends OnlineMigration {
  override name = '20261126040000-search-by-discipline';

  override async up(): Promise<void> {
    await this.createIndex(
      'item_discipline_recherche_index',
      'item using gin ((recherche || array_to_tsvector(array[chr(1) || discipline_id::text])))',
    );
  }

  override async down(): Promise<void> {
    await this.dropIndex('item_discipline_recherche_index');
  }
}
