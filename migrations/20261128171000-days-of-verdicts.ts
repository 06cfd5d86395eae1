import { Migration } from '@mikro-orm/migrations';

/** Days on which a learner marked an exercise are days of study, too (decision 126). */
export class DaysOfVerdicts extends Migration {
  override name = '20261128171000-days-of-verdicts';

  override up(): void {
    for (const [name, time, only] of [
      ['note_practice_days', 'marked_at', ''],
      ['note_kept_practice_days', 'at', `where type in ('reussi', 'a_revoir')`],
    ]) {
      this.addSql(`
        create function ${name}() returns trigger language plpgsql security definer as $$
        begin
          insert into study_day (user_id, day, answers, seconds)
          select distinct user_id, (${time} at time zone 'Africa/Douala')::date, 0, 0 from new_rows ${only} order by 1, 2
          on conflict (user_id, day) do nothing;
          return null;
        end $$;`);
      this.addSql(`alter function ${name}() set search_path from current;`);
    }
    for (const [name, event, table, run] of [
      ['practice_insert_noted', 'insert', 'practice', 'note_practice_days'],
      ['practice_update_noted', 'update', 'practice', 'note_practice_days'],
      ['offline_entry_insert_noted', 'insert', 'offline_entry', 'note_kept_practice_days'],
    ])
      this.addSql(`
        create trigger ${name} after ${event} on ${table} referencing new table as new_rows
        for each statement execute function ${run}();`);
  }

  override down(): void {
    this.addSql(`drop trigger offline_entry_insert_noted on offline_entry;`);
    for (const event of ['insert', 'update']) this.addSql(`drop trigger practice_${event}_noted on practice;`);
    for (const name of ['note_practice_days', 'note_kept_practice_days']) this.addSql(`drop function ${name}();`);
    this.addSql(`delete from study_day where answers = 0;`);
  }
}
