import { Migration } from '@mikro-orm/migrations';
import { ownersPath } from './20261123130000-totals-are-the-owners.ts';

/**
 * Items may move to another discipline (decision 132): an update revises the outlines of both, and the progress of the learners who have
 * opened them follows.
 */
export class ItemMoves extends Migration {
  override name = '20261128180000-item-moves';

  override up(): void {
    this.addSql(countOutlines('select discipline_id from old_items union select discipline_id from new_items'));
    this.addSql(`alter function count_outline_change() set search_path from current;`);
    this.addSql(`
      create or replace trigger item_updated after update on item referencing old table as old_items new table as new_items
      for each statement execute function count_outline_change();`);
    // Only the learners who opened a moved item are counted again, and only in the two disciplines.
    this.addSql(`
      create function move_progress() returns trigger language plpgsql security definer as $$
      declare
        moved int[] := array(select n.id from new_items n join old_items o on o.id = n.id where o.discipline_id <> n.discipline_id);
      begin
        if moved = '{}' then return null; end if;
        perform pg_advisory_xact_lock(hashtext('item_tally'));
        insert into discipline_progress as p (user_id, discipline_id, finished, last_item_id, last_read_at)
        select r.user_id, n.discipline_id, count(r.finished_at), (array_agg(r.item_id order by r.read_at desc, r.item_id desc))[1], max(r.read_at)
        from item_reading r join new_items n on n.id = r.item_id
        where r.item_id = any(moved) group by r.user_id, n.discipline_id order by r.user_id, n.discipline_id
        on conflict (user_id, discipline_id) do update
        set finished = p.finished + excluded.finished, last_read_at = greatest(p.last_read_at, excluded.last_read_at),
            last_item_id = case when (excluded.last_read_at, excluded.last_item_id) > (p.last_read_at, p.last_item_id)
                                then excluded.last_item_id else p.last_item_id end;
        update discipline_progress p set finished = p.finished - c.finished
        from (select r.user_id, o.discipline_id, count(r.finished_at) as finished from item_reading r join old_items o on o.id = r.item_id
              where r.item_id = any(moved) group by r.user_id, o.discipline_id) c
        where p.user_id = c.user_id and p.discipline_id = c.discipline_id;
        with lost as (
          select p.user_id, p.discipline_id, l.item_id, l.read_at
          from discipline_progress p join old_items o on o.id = p.last_item_id and o.discipline_id = p.discipline_id
               left join lateral (select r.item_id, r.read_at from item i join item_reading r on r.item_id = i.id
                                  where i.discipline_id = p.discipline_id and r.user_id = p.user_id
                                  order by r.read_at desc, r.item_id desc limit 1) l on true
          where p.last_item_id = any(moved)),
        none as (
          delete from discipline_progress p using lost l
          where l.item_id is null and p.user_id = l.user_id and p.discipline_id = l.discipline_id)
        update discipline_progress p set last_item_id = l.item_id, last_read_at = l.read_at
        from lost l where l.item_id is not null and p.user_id = l.user_id and p.discipline_id = l.discipline_id;
        return null;
      end $$;`);
    this.addSql(ownersPath('move_progress()'));
    this.addSql(`
      create trigger item_moved after update on item referencing old table as old_items new table as new_items
      for each statement execute function move_progress();`);
  }

  override down(): void {
    this.addSql(`drop trigger item_moved on item;`);
    this.addSql(`drop function move_progress();`);
    this.addSql(`
      create or replace trigger item_updated after update on item referencing old table as old_items
      for each statement execute function count_outline_change();`);
    this.addSql(countOutlines('select discipline_id from old_items'));
    this.addSql(`alter function count_outline_change() set search_path from current;`);
  }
}

/** @param ofUpdate SQL of the disciplines that an update concerns */
const countOutlines = (ofUpdate: string): string => `
      create or replace function count_outline_change() returns trigger language plpgsql as $$
      begin
        if tg_op = 'INSERT' then
          update discipline set outline_version = outline_version + 1 where id in (select discipline_id from new_items);
        elsif tg_op = 'UPDATE' then
          update discipline set outline_version = outline_version + 1 where id in (${ofUpdate});
        else
          update discipline set outline_version = outline_version + 1 where id in (select discipline_id from old_items);
        end if;
        return null;
      end $$;`;
