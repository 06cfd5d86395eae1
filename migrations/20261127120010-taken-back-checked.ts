import { Migration } from '@mikro-orm/migrations';

/** Validates existing entries against the new kinds, without blocking writes. */
export class TakenBackChecked extends Migration {
  override name = '20261127120010-taken-back-checked';

  override up(): void {
    this.addSql(`alter table offline_entry validate constraint offline_entry_type_check;`);
  }

  override down(): void {}
}
