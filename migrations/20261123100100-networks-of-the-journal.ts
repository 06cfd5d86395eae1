import { OnlineMigration } from '../src/platform/database/online-migration.ts';

/** An index of the entries that have a network: `prepa prune` removes networks from old entries without reading the whole log each day. */
export class NetworksOfTheJournal extends OnlineMigration {
  override name = '20261123100100-networks-of-the-journal';

  override async up(): Promise<void> {
    await this.createIndex('audit_entry_network_index', 'audit_entry (at) where network is not null');
  }

  override async down(): Promise<void> {
    await this.dropIndex('audit_entry_network_index');
  }
}
