import { Migration } from '@mikro-orm/migrations';

/** Which letters learners get, and when they got the last one (decision 127). */
export class Letters extends Migration {
  override name = '20261128163000-letters';

  override up(): void {
    this.addSql(`
      create table letter_choice (
        id serial primary key,
        user_id uuid not null
          constraint letter_choice_user_id_foreign references app_user (id) on delete cascade
          constraint letter_choice_user_unique unique,
        weekly boolean not null,
        ends boolean not null,
        sent_on date null
      );`);
    this.addSql(`create index letter_choice_weekly_index on letter_choice (id) where weekly;`);
  }

  override down(): void {
    this.addSql(`drop table letter_choice;`);
  }
}
