import { OnlineMigration } from '../src/platform/database/online-migration.ts';

/** Indexes that find learners by a prefix of their e-mail or username. The unique indexes find only exact values. */
export class LearnersByName extends OnlineMigration {
  override name = '20261123111000-learners-by-name';

  override async up(): Promise<void> {
    await this.createIndex('app_user_email_prefix_index', 'app_user (lower(email) text_pattern_ops)');
    await this.createIndex('app_user_username_prefix_index', 'app_user (lower(username) text_pattern_ops)');
  }

  override async down(): Promise<void> {
    await this.dropIndex('app_user_username_prefix_index');
    await this.dropIndex('app_user_email_prefix_index');
  }
}
