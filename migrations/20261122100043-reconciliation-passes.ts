import { Migration } from '@mikro-orm/migrations';

/** The time of the last reconciliation pass, and an index of the payments still checked, latest first. */
export class ReconciliationPasses extends Migration {
  override name = '20261122100043-reconciliation-passes';

  override up(): void {
    this.addSql(`create table "reconciliation_pass" ("id" serial primary key, "finished_at" timestamptz not null);`);
    this.addSql(`alter table "reconciliation_pass" add constraint "reconciliation_pass_one_row" check (id = 1);`);
    // The index also has next_check_at, so that payments that are not due are skipped without reading their rows.
    this.addSql(
      `create index payment_followed_index on payment (created_at, id, next_check_at) where next_check_at is not null and status <> 'succeeded';`,
    );
  }

  override down(): void {
    this.addSql(`drop index payment_followed_index;`);
    this.addSql(`drop table if exists "reconciliation_pass" cascade;`);
  }
}
