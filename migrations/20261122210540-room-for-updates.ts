import { Migration } from '@mikro-orm/migrations';

/**
 * Rows that change often without changing what an index holds: their next version finds room in the same page (HOT), and no index is written. Pages that are
 * full stay as they are until their rows change.
 */
export class RoomForUpdates extends Migration {
  override name = '20261122210540-room-for-updates';

  override up(): void {
    for (const [table, percent] of Object.entries(fillfactors)) this.addSql(`alter table ${table} set (fillfactor = ${percent});`);
  }

  override down(): void {
    for (const table of Object.keys(fillfactors)) this.addSql(`alter table ${table} reset (fillfactor);`);
  }
}

/** In percent. */
const fillfactors: Record<string, number> = {
  item_reading: 90,
  practice: 90,
  notification: 90,
  known_device: 90,
  attempt_limit: 70,
};
