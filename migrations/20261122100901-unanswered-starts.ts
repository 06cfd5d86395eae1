import { Migration } from '@mikro-orm/migrations';

/** Attempts whose provider did not answer when they were started: nobody is shown them, since nobody can pay them. */
export class UnansweredStarts extends Migration {
  override name = '20261122100901-unanswered-starts';

  override up(): void {
    this.addSql(`alter table "payment" add "start_unanswered" boolean not null default false;`);
  }

  override down(): void {
    this.addSql(`alter table "payment" drop column "start_unanswered";`);
  }
}
