import { Migration } from '@mikro-orm/migrations';

/** Validates existing items against the new kinds, without blocking writes. */
export class SeriesKindChecked extends Migration {
  override name = '20261128052010-series-kind-checked';

  override up(): void {
    this.addSql(`alter table item validate constraint item_kind_check;`);
  }

  override down(): void {}
}
