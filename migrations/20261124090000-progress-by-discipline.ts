import { Migration } from '@mikro-orm/migrations';
import { ownersPath } from './20261123130000-totals-are-the-owners.ts';

/**
 * For each discipline and learner, the number of finished items and the last opened item, updated with the marks as `item_tally` is:
 * a page that shows progress reads one row per discipline instead of joining each mark with its item.
 */
export class ProgressByDiscipline extends Migration {
  override name = '20261124090000-progress-by-discipline';

  override up(): void {
    this.addSql(`
      create table discipline_progress (
        user_id uuid not null constraint discipline_progress_user_id_foreign references app_user (id) on update cascade on delete cascade,
        discipline_id int not null constraint discipline_progress_discipline_id_foreign references discipline (id) on update cascade on delete cascade,
        finished int not null, last_item_id int not null, last_read_at timestamptz not null,
        constraint discipline_progress_pkey primary key (user_id, discipline_id)) with (fillfactor = 80);`);
    this.addSql(`create index discipline_progress_discipline_index on discipline_progress (discipline_id);`);
    // Counts these learners again. Marks written meanwhile wait for the lock and are counted by the trigger.
    this.addSql(`
      create function recount_progress(people uuid[]) returns void language plpgsql as $$
      begin
        perform pg_advisory_xact_lock(hashtext('item_tally'));
        insert into discipline_progress as p (user_id, discipline_id, finished, last_item_id, last_read_at)
        select r.user_id, i.discipline_id, count(r.finished_at), (array_agg(r.item_id order by r.read_at desc, r.item_id desc))[1], max(r.read_at)
        from item_reading r join item i on i.id = r.item_id
        where r.user_id = any(people) group by r.user_id, i.discipline_id order by r.user_id, i.discipline_id
        on conflict (user_id, discipline_id) do update
        set finished = excluded.finished, last_item_id = excluded.last_item_id, last_read_at = excluded.last_read_at;
        delete from discipline_progress p where p.user_id = any(people)
               and not exists (select from item_reading r join item i on i.id = r.item_id
                               where r.user_id = p.user_id and i.discipline_id = p.discipline_id);
      end $$;`);
    this.addSql(tallyReadings(true));
    // Deletes an item's marks before the item: their trigger still needs its discipline, which is gone when the foreign key deletes them.
    this.addSql(`
      create function remove_readings() returns trigger language plpgsql as $$
      begin
        delete from item_reading where item_id = old.id;
        return old;
      end $$;`);
    for (const signature of ['recount_progress(uuid[])', 'tally_readings()', 'remove_readings()']) this.addSql(ownersPath(signature));
    this.addSql(`create trigger item_readings_removed before delete on item for each row execute function remove_readings();`);
  }

  override down(): void {
    this.addSql(`drop trigger item_readings_removed on item;`);
    this.addSql(`drop function remove_readings();`);
    this.addSql(tallyReadings(false));
    this.addSql(ownersPath('tally_readings()'));
    this.addSql(`drop function recount_progress(uuid[]);`);
    this.addSql(`drop table discipline_progress;`);
  }
}

/** Returns SQL that adds the marks of `rows`. Looks up each mark's discipline by item id, so the number of items does not matter. */
const addProgress = (rows: string) => `
          insert into discipline_progress as p (user_id, discipline_id, finished, last_item_id, last_read_at)
          select r.user_id, i.discipline_id, sum(r.finished), (array_agg(r.item_id order by r.read_at desc, r.item_id desc))[1], max(r.read_at)
          from (${rows}) r cross join lateral (select discipline_id from item where id = r.item_id limit 1) i
          group by r.user_id, i.discipline_id
          on conflict (user_id, discipline_id) do update
          set finished = p.finished + excluded.finished, last_read_at = greatest(p.last_read_at, excluded.last_read_at),
              last_item_id = case when (excluded.last_read_at, excluded.last_item_id) > (p.last_read_at, p.last_item_id)
                                  then excluded.last_item_id else p.last_item_id end;`;

/** `read_at` never decreases, so after an update the new rows have the latest value. */
const added = addProgress('select user_id, item_id, read_at, (finished_at is not null)::int as finished from new_rows');
const changed = addProgress(`
            select n.user_id, n.item_id, n.read_at, (n.finished_at is not null)::int - (o.finished_at is not null)::int as finished
            from new_rows n join old_rows o on o.user_id = n.user_id and o.item_id = n.item_id`);

/** Subtracts deleted marks. A discipline being deleted is skipped, because its rows are deleted with it. */
const taken = `
          update discipline_progress p set finished = p.finished - c.finished
          from (select r.user_id, i.discipline_id, count(r.finished_at) as finished
                from old_rows r join item i on i.id = r.item_id join discipline d on d.id = i.discipline_id group by r.user_id, i.discipline_id) c
          where p.user_id = c.user_id and p.discipline_id = c.discipline_id;
          perform recount_progress(array(
            select distinct r.user_id from old_rows r join item i on i.id = r.item_id join discipline d on d.id = i.discipline_id
                   join discipline_progress p on p.user_id = r.user_id and p.discipline_id = d.id and p.last_item_id = r.item_id));`;

const tallyReadings = (withProgress: boolean) => `
      create or replace function tally_readings() returns trigger language plpgsql security definer as $$
      begin
        perform pg_advisory_xact_lock(hashtext('item_tally'));
        if tg_op = 'INSERT' then
          insert into item_tally as t (item_id, opened, finished)
          select item_id, count(*), count(finished_at) from new_rows group by item_id
          on conflict (item_id) do update set opened = t.opened + excluded.opened, finished = t.finished + excluded.finished;
          ${withProgress ? added : ''}
        elsif tg_op = 'UPDATE' then
          update item_tally t set finished = t.finished + c.finished
          from (select item_id, sum(finished) as finished
                from (select item_id, count(finished_at) as finished from new_rows group by item_id
                      union all select item_id, -count(finished_at) from old_rows group by item_id) r
                group by item_id having sum(finished) <> 0) c
          where t.item_id = c.item_id;
          ${withProgress ? changed : ''}
        else
          update item_tally t set opened = t.opened - c.opened, finished = t.finished - c.finished
          from (select item_id, count(*) as opened, count(finished_at) as finished from old_rows group by item_id) c where t.item_id = c.item_id;
          ${withProgress ? taken : ''}
        end if;
        return null;
      end $$;`;
