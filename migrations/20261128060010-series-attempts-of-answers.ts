import { OnlineMigration } from '../src/platform/database/online-migration.ts';

/** Index of answers by attempt, and the check of their attempts, without blocking writes. */
export class SeriesAttemptsOfAnswers extends OnlineMigration {
  override name = '20261128060010-series-attempts-of-answers';

  override async up(): Promise<void> {
    await this.createIndex('answer_attempt_index', 'answer (attempt_id) where attempt_id is not null');
    await this.execute('alter table answer validate constraint answer_attempt_id_foreign');
  }

  override async down(): Promise<void> {
    await this.dropIndex('answer_attempt_index');
  }
}
