import { Migration } from '@mikro-orm/migrations';

/** Validates existing answers against the new contexts, without blocking writes. */
export class DailySessionsChecked extends Migration {
  override name = '20261128134010-daily-sessions-checked';

  override up(): void {
    this.addSql(`alter table answer validate constraint answer_context_check;`);
  }

  override down(): void {}
}
