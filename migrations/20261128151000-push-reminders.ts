import { Migration } from '@mikro-orm/migrations';

/** Browsers in which learners are reminded, and the messages that wait for them (decision 125). */
export class PushReminders extends Migration {
  override name = '20261128151000-push-reminders';

  override up(): void {
    this.addSql(`
      create table push_subscription (
        id serial primary key,
        user_id uuid not null constraint push_subscription_user_id_foreign references app_user (id) on delete cascade,
        endpoint varchar(1000) not null constraint push_subscription_endpoint_unique unique,
        service varchar(255) not null,
        p256dh varchar(100) not null,
        auth varchar(40) not null,
        hour smallint not null,
        session_id varchar(64) null,
        reminded_day date null,
        created_at timestamptz not null
      );`);
    this.addSql(`create index push_subscription_user_index on push_subscription (user_id);`);
    this.addSql(`create index push_subscription_session_index on push_subscription (session_id);`);
    this.addSql(`create index push_subscription_hour_index on push_subscription (hour, id);`);
    this.addSql(`
      create table push_message (
        id serial primary key,
        subscription_id int not null
          constraint push_message_subscription_id_foreign references push_subscription (id) on delete cascade,
        service varchar(255) not null,
        topic varchar(32) not null,
        payload jsonb not null,
        due_at timestamptz not null,
        expires_at timestamptz not null,
        claimed_at timestamptz null
      );`);
    this.addSql(`create index push_message_subscription_index on push_message (subscription_id);`);
    this.addSql(`create index push_message_due_index on push_message (service, due_at, id) where claimed_at is null;`);
    this.addSql(`create index push_message_expiry_index on push_message (expires_at);`);
  }

  override down(): void {
    for (const table of ['push_message', 'push_subscription']) this.addSql(`drop table ${table};`);
  }
}
