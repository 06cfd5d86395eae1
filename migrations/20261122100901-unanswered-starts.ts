import { Migration } from '@mikro-orm/migrations';

/** Marks payments whose start got no response from the provider. They are not shown, because they cannot be paid. */
export class UnansweredStarts extends Migration {
  override name = '20261122100901-unanswered-starts';

  override up(): void {
    this.addSql(`alter table "payment" add "start_unanswered" boolean not null default false;`);
  }

  override down(): void {
    this.addSql(`alter table "payment" drop column "start_unanswered";`);
  }
}
