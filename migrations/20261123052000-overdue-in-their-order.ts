import { OnlineMigration } from '../src/platform/database/online-migration.ts';

/**
 * What is overdue is listed by when it was begun: in this index among what is followed, and not among all payments. The state makes it larger than
 * payment_followed_index, which a claim reads, so that the planner has no reason to take this one for it.
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
