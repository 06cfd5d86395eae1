import { Migration } from '@mikro-orm/migrations';

/**
 * The first answer to a question is the earliest by its time, whatever the order of arrival: devices send answers later (decision 119).
 * Concurrent answers of a learner are counted one after another.
 */
export class FirstAnswers extends Migration {
  override name = '20261128150000-first-answers';

  override up(): void {
    // The lock makes the second of two concurrent answers read the first one, which its own snapshot does not have.
    // A latest answer leaves the first one as it is, whose row may have been pruned.
    this.addSql(`
      create or replace function keep_question_state() returns trigger language plpgsql security definer as $$
      begin
        perform pg_advisory_xact_lock(hashtextextended('question state ' || new.user_id || ' ' || new.question_id, 0));
        insert into question_state as s (user_id, question_id, key_version, first_given, first_right, last_right, last_at, wrong_at, right_days)
        select new.user_id, new.question_id, new.key_version, (array_agg(a.given order by a.answered_at, a.cle))[1],
               (array_agg(a.is_right order by a.answered_at, a.cle))[1],
               (array_agg(a.is_right order by a.answered_at desc, a.cle))[1], max(a.answered_at), w.wrong_at,
               count(distinct (a.answered_at at time zone 'Africa/Douala')::date) filter (where a.is_right and a.answered_at > w.wrong_at)
        from answer a,
             (select max(answered_at) filter (where not is_right) as wrong_at from answer
              where user_id = new.user_id and question_id = new.question_id and key_version = new.key_version) w
        where a.user_id = new.user_id and a.question_id = new.question_id and a.key_version = new.key_version
        group by w.wrong_at
        on conflict (user_id, question_id, key_version) do update
          set first_given = case when excluded.last_at > s.last_at then s.first_given else excluded.first_given end,
              first_right = case when excluded.last_at > s.last_at then s.first_right else excluded.first_right end,
              last_right = excluded.last_right, last_at = excluded.last_at, wrong_at = excluded.wrong_at, right_days = excluded.right_days;
        return null;
      end $$;`);
    this.addSql(`
      create or replace function tally_answers() returns trigger language plpgsql security definer as $$
      begin
        if tg_op = 'INSERT' then
${inserted}
        elsif tg_op = 'UPDATE' then
          if exists (select from old_rows o join new_rows n using (user_id, question_id, key_version)
                     where (o.first_given, o.first_right, o.rest) is distinct from (n.first_given, n.first_right, n.rest)) then
            perform from question_tally where (question_id, key_version) in (select question_id, key_version from new_rows)
            order by question_id, key_version for update;
            update question_tally t set right_first = t.right_first + c.right_first, skipped = t.skipped + c.skipped,
                   rated = t.rated + c.rated, rated_right = t.rated_right + c.rated_right, rest_sum = t.rest_sum + c.rest_sum,
                   rest_squares = t.rest_squares + c.rest_squares, rest_right = t.rest_right + c.rest_right
            from (select question_id, key_version, coalesce(sum(sign) filter (where first_right), 0) as right_first,
                         coalesce(sum(sign) filter (where jsonb_exists(first_given, 'skipped')), 0) as skipped,
                         coalesce(sum(sign) filter (where rest is not null), 0) as rated,
                         coalesce(sum(sign) filter (where rest is not null and first_right), 0) as rated_right,
                         coalesce(sum(sign * rest), 0) as rest_sum, coalesce(sum(sign * rest * rest), 0) as rest_squares,
                         coalesce(sum(sign * rest) filter (where first_right), 0) as rest_right
                  from (select n.*, 1 as sign from new_rows n union all select o.*, -1 from old_rows o) r group by 1, 2) c
            where t.question_id = c.question_id and t.key_version = c.key_version;
            insert into choice_tally as t (question_id, key_version, choice, chosen)
            select question_id, key_version, choice, sum(sign)
            from (select n.*, 1 as sign from new_rows n union all select o.*, -1 from old_rows o) r,
                 jsonb_array_elements_text(first_given -> 'choices') as choice
            group by 1, 2, 3 having sum(sign) <> 0 order by 1, 2, 3
            on conflict (question_id, key_version, choice) do update set chosen = t.chosen + excluded.chosen;
          end if;
        else
${deleted}
        end if;
        return null;
      end $$;`);
    // A replaced function loses its settings.
    this.keepSettings();
  }

  override down(): void {
    this.addSql(`
      create or replace function keep_question_state() returns trigger language plpgsql security definer as $$
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
      create or replace function tally_answers() returns trigger language plpgsql security definer as $$
      begin
        if tg_op = 'INSERT' then
${inserted}
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
${deleted}
        end if;
        return null;
      end $$;`);
    this.keepSettings();
  }

  private keepSettings(): void {
    this.addSql(`alter function keep_question_state() set search_path from current;`);
    this.addSql(`alter function tally_answers() set search_path from current;`);
  }
}

// The parts of `tally_answers` that stay as in 20261128051500-answers.
const inserted = `
          insert into question_tally as t (question_id, key_version, answered, right_first, skipped)
          select question_id, key_version, count(*), count(*) filter (where first_right), count(*) filter (where jsonb_exists(first_given, 'skipped'))
          from new_rows group by 1, 2 order by 1, 2
          on conflict (question_id, key_version) do update
            set answered = t.answered + excluded.answered, right_first = t.right_first + excluded.right_first, skipped = t.skipped + excluded.skipped;
          insert into choice_tally as t (question_id, key_version, choice, chosen)
          select question_id, key_version, choice, count(*)
          from new_rows, jsonb_array_elements_text(first_given -> 'choices') as choice group by 1, 2, 3 order by 1, 2, 3
          on conflict (question_id, key_version, choice) do update set chosen = t.chosen + excluded.chosen;`;
const deleted = `
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
          where t.question_id = c.question_id and t.key_version = c.key_version and t.choice = c.choice;`;
