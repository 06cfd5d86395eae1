import { Migration } from '@mikro-orm/migrations';

/**
 * When a session was used last, and why a learner's was ended before its time: its row stays, so that its device can be told. Learners who may not sign in any more.
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
