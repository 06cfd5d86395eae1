import { Migration } from '@mikro-orm/migrations';

/** Daily sessions, the time that an answer took, and the days on which a learner studied (decision 124). */
export class DailySessions extends Migration {
  override name = '20261128134000-daily-sessions';

  override up(): void {
    this.addSql(`
      create table daily_session (
        id uuid primary key,
        user_id uuid not null constraint daily_session_user_id_foreign references app_user (id) on delete cascade,
        prepa_id int not null constraint daily_session_prepa_id_foreign references prepa (id) on delete cascade,
        day date not null,
        part int not null,
        asked jsonb not null,
        started_at timestamptz not null,
        finished_at timestamptz null
      );`);
    this.addSql(`create unique index daily_session_unique on daily_session (user_id, day, prepa_id, part);`);
    this.addSql(`create index daily_session_prepa_index on daily_session (prepa_id);`);
    this.addSql(`create index daily_session_date_index on daily_session (started_at);`);
    this.addSql(`
      create table study_day (
        user_id uuid not null constraint study_day_user_id_foreign references app_user (id) on delete cascade,
        day date not null,
        answers int not null,
        seconds int not null,
        primary key (user_id, day)
      );`);
    this.addSql(`alter table answer add column seconds int null;`);
    this.addSql(`alter table answer drop constraint answer_context_check;`);
    this.addSql(
      `alter table answer add constraint answer_context_check check (context in ('text', 'series', 'errors', 'diagnostic', 'session')) not valid;`,
    );
    this.addSql(`
      create function count_study_days() returns trigger language plpgsql security definer as $$
      begin
        insert into study_day as s (user_id, day, answers, seconds)
        select user_id, (answered_at at time zone 'Africa/Douala')::date, count(*), coalesce(sum(seconds), 0) from new_rows group by 1, 2 order by 1, 2
        on conflict (user_id, day) do update set answers = s.answers + excluded.answers, seconds = s.seconds + excluded.seconds;
        return null;
      end $$;`);
    this.addSql(`alter function count_study_days() set search_path from current;`);
    this.addSql(`
      create trigger answer_insert_counted after insert on answer referencing new table as new_rows
      for each statement execute function count_study_days();`);
  }

  override down(): void {
    this.addSql(`drop trigger answer_insert_counted on answer;`);
    this.addSql(`drop function count_study_days();`);
    this.addSql(`delete from answer where context = 'session';`);
    this.addSql(`alter table answer drop constraint answer_context_check;`);
    this.addSql(
      `alter table answer add constraint answer_context_check check (context in ('text', 'series', 'errors', 'diagnostic')) not valid;`,
    );
    this.addSql(`alter table answer drop column seconds;`);
    for (const table of ['study_day', 'daily_session']) this.addSql(`drop table ${table};`);
  }
}
