import { Migration } from '@mikro-orm/migrations';

/**
 * Tables whose rows change often, but not in indexed columns: with free space in the page, their updates are HOT and write no index.
 * Full pages stay full until their rows change.
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

/** Fill factors, in percent. */
const fillfactors: Record<string, number> = {
  item_reading: 90,
  practice: 90,
  notification: 90,
  known_device: 90,
  attempt_limit: 70,
};
