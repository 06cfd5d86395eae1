import { Migration } from '@mikro-orm/migrations';

/** The day of a prepa's concours, each learner's own date and daily time, and what learners say afterwards (decision 123). */
export class ConcoursDates extends Migration {
  override name = '20261128133000-concours-dates';

  override up(): void {
    this.addSql(`
      create table concours (
        prepa_id int primary key constraint concours_prepa_id_foreign references prepa (id) on update cascade on delete cascade,
        day date not null
      );`);
    this.addSql(`
      create table study_plan (
        user_id uuid not null constraint study_plan_user_id_foreign references app_user (id) on update cascade on delete cascade,
        prepa_id int not null constraint study_plan_prepa_id_foreign references prepa (id) on update cascade on delete cascade,
        choice text not null constraint study_plan_choice_check check (choice in ('prepa', 'own', 'none')),
        day date null,
        minutes int not null constraint study_plan_minutes_check check (minutes in (5, 15, 30, 60)),
        primary key (user_id, prepa_id),
        constraint study_plan_day_check check ((choice = 'own') = (day is not null))
      );`);
    this.addSql(`create index study_plan_prepa_index on study_plan (prepa_id);`);
    this.addSql(`
      create table concours_outcome (
        user_id uuid not null constraint concours_outcome_user_id_foreign references app_user (id) on delete cascade,
        prepa_id int not null constraint concours_outcome_prepa_id_foreign references prepa (id) on delete cascade,
        day date not null,
        outcome text not null constraint concours_outcome_outcome_check check (outcome in ('admitted', 'failed', 'waiting')),
        answered_at timestamptz not null,
        primary key (user_id, prepa_id, day)
      );`);
    this.addSql(`create index concours_outcome_prepa_index on concours_outcome (prepa_id);`);
  }

  override down(): void {
    for (const table of ['concours_outcome', 'study_plan', 'concours']) this.addSql(`drop table ${table};`);
  }
}
