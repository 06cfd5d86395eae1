import { Migration } from '@mikro-orm/migrations';

/** Attempts at series; answers name theirs (decision 116). */
export class SeriesAttempts extends Migration {
  override name = '20261128060000-series-attempts';

  override up(): void {
    this.addSql(`
      create table series_attempt (
        id uuid primary key,
        user_id uuid not null constraint series_attempt_user_id_foreign references app_user (id) on delete cascade,
        item_id int not null constraint series_attempt_item_id_foreign references item (id) on delete cascade,
        mode text not null constraint series_attempt_mode_check check (mode in ('learn', 'exam')),
        asked jsonb null,
        given jsonb not null default '{}',
        started_at timestamptz not null,
        ends_at timestamptz null,
        finished_at timestamptz null
      );`);
    this.addSql(`create index series_attempt_user_index on series_attempt (user_id, item_id, started_at);`);
    this.addSql(`create index series_attempt_date_index on series_attempt (started_at);`);
    this.addSql(`create index series_attempt_item_index on series_attempt (item_id);`);
    this.addSql(`create unique index series_attempt_open_unique on series_attempt (user_id, item_id) where finished_at is null;`);
    this.addSql(`alter table answer add column attempt_id uuid null;`);
    this.addSql(
      `alter table answer add constraint answer_attempt_id_foreign foreign key (attempt_id) references series_attempt (id) on delete set null not valid;`,
    );
  }

  override down(): void {
    this.addSql(`alter table answer drop column attempt_id;`);
    this.addSql(`drop table series_attempt;`);
  }
}
