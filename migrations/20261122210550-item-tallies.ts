import { Migration } from '@mikro-orm/migrations';

/**
 * The number of learners who have opened, finished and marked each item: the page of a discipline's readings then reads one row per item.
 * An advisory lock serialises the triggers, so that transactions with marks of several items cannot deadlock.
 */
export class ItemTallies extends Migration {
  override name = '20261122210550-item-tallies';

  override up(): void {
    this.addSql(`
      create table item_tally (
        item_id int not null constraint item_tally_pkey primary key constraint item_tally_item_id_foreign references item (id) on delete cascade,
        opened int not null default 0, finished int not null default 0, to_review int not null default 0) with (fillfactor = 50);`);
    this.addSql(`
      create function tally_readings() returns trigger language plpgsql as $$
      begin
        perform pg_advisory_xact_lock(hashtext('item_tally'));
        if tg_op = 'INSERT' then
          insert into item_tally as t (item_id, opened, finished)
          select item_id, count(*), count(finished_at) from new_rows group by item_id
          on conflict (item_id) do update set opened = t.opened + excluded.opened, finished = t.finished + excluded.finished;
        elsif tg_op = 'UPDATE' then
          update item_tally t set finished = t.finished + c.finished
          from (select item_id, sum(finished) as finished
                from (select item_id, count(finished_at) as finished from new_rows group by item_id
                      union all select item_id, -count(finished_at) from old_rows group by item_id) r
                group by item_id having sum(finished) <> 0) c
          where t.item_id = c.item_id;
        else
          update item_tally t set opened = t.opened - c.opened, finished = t.finished - c.finished
          from (select item_id, count(*) as opened, count(finished_at) as finished from old_rows group by item_id) c where t.item_id = c.item_id;
        end if;
        return null;
      end $$;`);
    this.addSql(`
      create function tally_practices() returns trigger language plpgsql as $$
      begin
        perform pg_advisory_xact_lock(hashtext('item_tally'));
        if tg_op = 'INSERT' then
          insert into item_tally as t (item_id, to_review)
          select item_id, count(*) from new_rows where verdict = 'a_revoir' group by item_id
          on conflict (item_id) do update set to_review = t.to_review + excluded.to_review;
        elsif tg_op = 'UPDATE' then
          insert into item_tally as t (item_id, to_review)
          select item_id, sum(n) from (select item_id, 1 as n from new_rows where verdict = 'a_revoir'
                                       union all select item_id, -1 from old_rows where verdict = 'a_revoir') r
          group by item_id having sum(n) <> 0
          on conflict (item_id) do update set to_review = t.to_review + excluded.to_review;
        else
          update item_tally t set to_review = t.to_review - c.n
          from (select item_id, count(*) as n from old_rows where verdict = 'a_revoir' group by item_id) c where t.item_id = c.item_id;
        end if;
        return null;
      end $$;`);
    for (const [table, name] of Object.entries(tallied)) {
      this.addSql(`alter function ${name}() set search_path from current;`);
      for (const [operation, rows] of Object.entries(transitions)) {
        this.addSql(`
          create trigger ${table}_${operation}_tallied after ${operation} on ${table} referencing ${rows}
          for each statement execute function ${name}();`);
      }
    }
    // Marks written meanwhile wait for the lock and are counted by their trigger.
    this.addSql(`
      create function retally_items(first int, last int) returns void language plpgsql as $$
      begin
        perform pg_advisory_xact_lock(hashtext('item_tally'));
        insert into item_tally as t (item_id, opened, finished, to_review)
        select item_id, sum(opened), sum(finished), sum(to_review)
        from (select item_id, count(*) as opened, count(finished_at) as finished, 0 as to_review
              from item_reading where item_id between first and last group by item_id
              union all
              select item_id, 0, 0, count(*) from practice where verdict = 'a_revoir' and item_id between first and last group by item_id) r
        group by item_id
        on conflict (item_id) do update set opened = excluded.opened, finished = excluded.finished, to_review = excluded.to_review;
      end $$;`);
    this.addSql(`alter function retally_items(int, int) set search_path from current;`);
  }

  override down(): void {
    for (const [table, name] of Object.entries(tallied)) {
      for (const operation of Object.keys(transitions)) this.addSql(`drop trigger ${table}_${operation}_tallied on ${table};`);
      this.addSql(`drop function ${name}();`);
    }
    this.addSql(`drop function retally_items(int, int);`);
    this.addSql(`drop table item_tally;`);
  }
}

const tallied = { item_reading: 'tally_readings', practice: 'tally_practices' };

const transitions = {
  insert: 'new table as new_rows',
  update: 'old table as old_rows new table as new_rows',
  delete: 'old table as old_rows',
};
