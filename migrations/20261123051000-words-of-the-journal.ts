import { OnlineMigration } from '../src/platform/database/online-migration.ts';

/** Adds the words of labels to the index of their trigrams: a rare word finds its entries even if its trigrams are common. */
export class WordsOfTheJournal extends OnlineMigration {
  override name = '20261123051000-words-of-the-journal';

  override async up(): Promise<void> {
    await this.createIndex('audit_entry_text_index', `audit_entry using gin (string_to_array(lower(label), ' '), label gin_trgm_ops)`);
    await this.dropIndex('audit_entry_label_index');
  }

  override async down(): Promise<void> {
    await this.createIndex('audit_entry_label_index', 'audit_entry using gin (label gin_trgm_ops)');
    await this.dropIndex('audit_entry_text_index');
  }
}
