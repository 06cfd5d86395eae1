import { Migration } from '@mikro-orm/migrations';

/** Allows a new kind of offline action: the item is no longer finished. */
export class TakenBack extends Migration {
  override name = '20261127120000-taken-back';

  override up(): void {
    this.addSql(`alter table offline_entry drop constraint offline_entry_type_check;`);
    this.addSql(
      `alter table offline_entry add constraint offline_entry_type_check check (type in ('lu', 'termine', 'rouvert', 'reussi', 'a_revoir')) not valid;`,
    );
  }

  override down(): void {
    this.addSql(`delete from offline_entry where type = 'rouvert';`);
    this.addSql(`alter table offline_entry drop constraint offline_entry_type_check;`);
    this.addSql(
      `alter table offline_entry add constraint offline_entry_type_check check (type in ('lu', 'termine', 'reussi', 'a_revoir'));`,
    );
  }
}
