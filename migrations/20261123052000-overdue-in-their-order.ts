import { OnlineMigration } from '../src/platform/database/online-migration.ts';

/**
 * Lists overdue payments by creation time, from an index of the followed payments only. The column `status` makes it larger than
 * payment_followed_index, so that the planner does not prefer it when payments are claimed.
 */
export class OverdueInTheirOrder extends OnlineMigration {
  override name = '20261123052000-overdue-in-their-order';

  override async up(): Promise<void> {
    await this.createIndex('payment_overdue_index', 'payment (created_at, id, next_check_at, status) where next_check_at is not null');
  }

  override async down(): Promise<void> {
    await this.dropIndex('payment_overdue_index');
  }
}
