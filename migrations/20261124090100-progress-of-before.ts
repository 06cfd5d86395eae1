import { Migration } from '@mikro-orm/migrations';

/** Counts the marks of before progress was kept by discipline, some learners at a time: whoever marks meanwhile waits for those at most. */
export class ProgressOfBefore extends Migration {
  override name = '20261124090100-progress-of-before';

  /** Each batch is a transaction of its own. */
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    this.addSql(`
      do $$
      declare
        batch constant int := 1000;
        people uuid[];
        last uuid := '00000000-0000-0000-0000-000000000000';
      begin
        loop
          people := array(select id from app_user where id > last order by id limit batch);
          exit when cardinality(people) = 0;
          perform recount_progress(people);
          commit;
          last := people[cardinality(people)];
        end loop;
      end $$;`);
  }

  override down(): void {
    this.addSql(`truncate discipline_progress;`);
  }
}
