import { Migration } from '@mikro-orm/migrations';

/**
 * Answers to questions, and what is derived from them by triggers: the state of each question for each learner, and tallies for teachers
 * (decision 117).
 */
export class Answers extends Migration {
  override name = '20261128051500-answers';

  override up(): void {
    this.addSql(`
      create table answer (
        user_id uuid not null constraint answer_user_id_foreign references app_user (id) on delete cascade,
        cle uuid not null,
        question_id varchar(12) not null constraint answer_question_id_foreign references question (id) on delete cascade,
        key_version int not null,
        item_version int not null,
        context text not null constraint answer_context_check check (context in ('text', 'series', 'errors')),
        given jsonb not null,
        is_right boolean not null,
        points numeric(5,2) not null,
        answered_at timestamptz not null,
        primary key (user_id, cle)
      );`);
    this.addSql(`create index answer_question_index on answer (question_id);`);
    this.addSql(`create index answer_user_question_index on answer (user_id, question_id, key_version);`);
    this.addSql(`create index answer_date_index on answer (answered_at);`);
    this.addSql(`
      create table question_state (
        user_id uuid not null constraint question_state_user_id_foreign references app_user (id) on delete cascade,
        question_id varchar(12) not null constraint question_state_question_id_foreign references question (id) on delete cascade,
        key_version int not null,
        first_given jsonb not null,
        first_right boolean not null,
        last_right boolean not null,
        last_at timestamptz not null,
        wrong_at timestamptz null,
        right_days int not null,
        rest int null,
        primary key (user_id, question_id, key_version)
      );`);
    this.addSql(`create index question_state_question_index on question_state (question_id);`);
    this.addSql(
      `create index question_state_wrong_index on question_state (user_id, wrong_at) where wrong_at is not null and right_days < 2;`,
    );
    this.addSql(`
      create table question_tally (
        question_id varchar(12) not null constraint question_tally_question_id_foreign references question (id) on delete cascade,
        key_version int not null,
        answered int not null default 0, right_first int not null default 0, skipped int not null default 0,
        rated int not null default 0, rated_right int not null default 0,
        rest_sum bigint not null default 0, rest_squares bigint not null default 0, rest_right bigint not null default 0,
        primary key (question_id, key_version)) with (fillfactor = 50);`);
    this.addSql(`
      create table choice_tally (
        question_id varchar(12) not null constraint choice_tally_question_id_foreign references question (id) on delete cascade,
        key_version int not null,
        choice varchar(12) not null,
        chosen int not null default 0,
        primary key (question_id, key_version, choice)) with (fillfactor = 50);`);
    // Reads the answers again, so that the state does not depend on the order in which a device's answers arrive.
    this.addSql(`
      create function keep_question_state() returns trigger language plpgsql security definer as $$
      begin
        insert into question_state as s (user_id, question_id, key_version, first_given, first_right, last_right, last_at, wrong_at, right_days)
        select new.user_id, new.question_id, new.key_version, new.given, new.is_right,
               (array_agg(a.is_right order by a.answered_at desc, a.cle))[1], max(a.answered_at), w.wrong_at,
               count(distinct (a.answered_at at time zone 'Africa/Douala')::date) filter (where a.is_right and a.answered_at > w.wrong_at)
        from answer a,
             (select max(answered_at) filter (where not is_right) as wrong_at from answer
              where user_id = new.user_id and question_id = new.question_id and key_version = new.key_version) w
        where a.user_id = new.user_id and a.question_id = new.question_id and a.key_version = new.key_version
        group by w.wrong_at
        on conflict (user_id, question_id, key_version) do update
          set last_right = excluded.last_right, last_at = excluded.last_at, wrong_at = excluded.wrong_at, right_days = excluded.right_days;
        return null;
      end $$;`);
    this.addSql(`
      create trigger answer_state after insert on answer for each row execute function keep_question_state();`);
    // Rows are inserted and locked in one order, so that two transactions with several questions cannot deadlock.
    this.addSql(`
      create function tally_answers() returns trigger language plpgsql security definer as $$
      begin
        if tg_op = 'INSERT' then
          insert into question_tally as t (question_id, key_version, answered, right_first, skipped)
          select question_id, key_version, count(*), count(*) filter (where first_right), count(*) filter (where jsonb_exists(first_given, 'skipped'))
          from new_rows group by 1, 2 order by 1, 2
          on conflict (question_id, key_version) do update
            set answered = t.answered + excluded.answered, right_first = t.right_first + excluded.right_first, skipped = t.skipped + excluded.skipped;
          insert into choice_tally as t (question_id, key_version, choice, chosen)
          select question_id, key_version, choice, count(*)
          from new_rows, jsonb_array_elements_text(first_given -> 'choices') as choice group by 1, 2, 3 order by 1, 2, 3
          on conflict (question_id, key_version, choice) do update set chosen = t.chosen + excluded.chosen;
        elsif tg_op = 'UPDATE' then
          if exists (select from old_rows o join new_rows n using (user_id, question_id, key_version) where o.rest is distinct from n.rest) then
            perform from question_tally where (question_id, key_version) in (select question_id, key_version from new_rows)
            order by question_id, key_version for update;
            update question_tally t set rated = t.rated + c.rated, rated_right = t.rated_right + c.rated_right, rest_sum = t.rest_sum + c.rest_sum,
                   rest_squares = t.rest_squares + c.rest_squares, rest_right = t.rest_right + c.rest_right
            from (select question_id, key_version, sum(sign) as rated, coalesce(sum(sign) filter (where first_right), 0) as rated_right, sum(sign * rest) as rest_sum,
                         sum(sign * rest * rest) as rest_squares, coalesce(sum(sign * rest) filter (where first_right), 0) as rest_right
                  from (select question_id, key_version, first_right, rest, 1 as sign from new_rows where rest is not null
                        union all select question_id, key_version, first_right, rest, -1 from old_rows where rest is not null) r
                  group by 1, 2) c
            where t.question_id = c.question_id and t.key_version = c.key_version;
          end if;
        else
          perform from question_tally where (question_id, key_version) in (select question_id, key_version from old_rows)
          order by question_id, key_version for update;
          update question_tally t set answered = t.answered - c.answered, right_first = t.right_first - c.right_first, skipped = t.skipped - c.skipped,
                 rated = t.rated - c.rated, rated_right = t.rated_right - c.rated_right, rest_sum = t.rest_sum - c.rest_sum,
                 rest_squares = t.rest_squares - c.rest_squares, rest_right = t.rest_right - c.rest_right
          from (select question_id, key_version, count(*) as answered, count(*) filter (where first_right) as right_first,
                       count(*) filter (where jsonb_exists(first_given, 'skipped')) as skipped, count(rest) as rated,
                       count(rest) filter (where first_right) as rated_right, coalesce(sum(rest), 0) as rest_sum,
                       coalesce(sum(rest * rest), 0) as rest_squares, coalesce(sum(rest) filter (where first_right), 0) as rest_right
                from old_rows group by 1, 2) c
          where t.question_id = c.question_id and t.key_version = c.key_version;
          update choice_tally t set chosen = t.chosen - c.chosen
          from (select question_id, key_version, choice, count(*) as chosen
                from old_rows, jsonb_array_elements_text(first_given -> 'choices') as choice group by 1, 2, 3) c
          where t.question_id = c.question_id and t.key_version = c.key_version and t.choice = c.choice;
        end if;
        return null;
      end $$;`);
    this.addSql(`alter function keep_question_state() set search_path from current;`);
    this.addSql(`alter function tally_answers() set search_path from current;`);
    for (const [operation, rows] of Object.entries(transitions))
      this.addSql(`
        create trigger question_state_${operation}_tallied after ${operation} on question_state referencing ${rows}
        for each statement execute function tally_answers();`);
  }

  override down(): void {
    for (const table of ['choice_tally', 'question_tally', 'question_state', 'answer']) this.addSql(`drop table ${table};`);
    this.addSql(`drop function tally_answers();`);
    this.addSql(`drop function keep_question_state();`);
  }
}

const transitions = {
  insert: 'new table as new_rows',
  update: 'old table as old_rows new table as new_rows',
  delete: 'old table as old_rows',
};
