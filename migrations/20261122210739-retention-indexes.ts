import { OnlineMigration } from '../src/platform/database/online-migration.ts';

const indexes = {
  app_user_erased_index: '"app_user" ("erased_at") where erased_at is not null',
  password_reset_expiry_index: '"password_reset" ("expires_at")',
  notification_date_index: '"notification" ("date_creation")',
  attempt_limit_expiry_index: '"attempt_limit" ("expire")',
};

/** Indexes with which `prepa prune` finds rows by age. */
export class RetentionIndexes extends OnlineMigration {
  override name = '20261122210739-retention-indexes';

  override async up(): Promise<void> {
    for (const [name, definition] of Object.entries(indexes)) await this.createIndex(name, definition);
  }

  override async down(): Promise<void> {
    for (const name of Object.keys(indexes)) await this.dropIndex(name);
  }
}
