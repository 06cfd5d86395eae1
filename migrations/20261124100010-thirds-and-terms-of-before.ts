import { OnlineMigration } from '../src/platform/database/online-migration.ts';

/**
 * Counts every month again, with its thirds and its quarter. A payment settled meanwhile waits for one month's count at most. The rows of
 * a page's prepas are then found by the unique constraint, and the index by prepa is no longer used.
 */
export class ThirdsAndTermsOfBefore extends OnlineMigration {
  override name = '20261124100010-thirds-and-terms-of-before';

  override async up(): Promise<void> {
    const months = (await this.execute(
      `select to_char(month, 'YYYY-MM-DD') as month, to_char(month + interval '1 month', 'YYYY-MM-DD') as next
       from (select distinct start as month from payment_prepa_total where span = 'month') m order by month`,
    )) as { month: string; next: string }[];
    for (const { month, next } of months) await this.execute(`select recount_payment_totals('${month}', '${next}')`);
    await this.dropIndex('payment_prepa_total_prepa_index');
  }

  override async down(): Promise<void> {
    await this.createIndex('payment_prepa_total_prepa_index', 'payment_prepa_total (prepa_id, span, start)');
  }
}
