import { Migration } from '@mikro-orm/migrations';

/** The time when a learner finished an item, beside the time of the last opening. */
export class FinishedReadings extends Migration {
  override name = '20261122174546-finished-readings';

  override up(): void {
    this.addSql(`alter table "item_reading" add "finished_at" timestamptz null;`);
    // Opened items stay opened. Items that learners have marked count as finished (docs/decisions/052-opened-is-not-read.md).
    this.addSql(`
      insert into item_reading as kept (user_id, item_id, read_at, finished_at)
      select user_id, item_id, marked_at, marked_at from practice order by item_id, user_id
      on conflict (user_id, item_id) do update set finished_at = excluded.finished_at;`);
  }

  override down(): void {
    this.addSql(`alter table "item_reading" drop column "finished_at";`);
  }
}
