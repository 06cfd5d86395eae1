import { OnlineMigration } from '../src/platform/database/online-migration.ts';

/**
 * Words and disciplines in one index: a search in some disciplines passes over what the same words find in all the others. A discipline is a word that no text holds.
 * The release before searches by item_recherche_index, which the next one may drop.
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
