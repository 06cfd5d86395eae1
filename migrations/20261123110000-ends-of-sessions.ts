import { Migration } from '@mikro-orm/migrations';

/**
 * Adds the last use of a session, the reason of its early end, and blocked learners. The row of an ended session stays, so that the
 * device can show the reason.
 */
export class EndsOfSessions extends Migration {
  override name = '20261123110000-ends-of-sessions';

  override up(): void {
    this.addSql(`alter table "session" add "used_at" timestamptz null, add "ended" varchar(20) null;`);
    this.addSql(`alter table "administrator_session" add "used_at" timestamptz null;`);
    this.addSql(`alter table "app_user" add "blocked_at" timestamptz null, add "blocked_reason" varchar(300) null;`);
  }

  override down(): void {
    this.addSql(`alter table "session" drop column "used_at", drop column "ended";`);
    this.addSql(`alter table "administrator_session" drop column "used_at";`);
    this.addSql(`alter table "app_user" drop column "blocked_at", drop column "blocked_reason";`);
  }
}
