import { Migration } from '@mikro-orm/migrations';

/**
 * Rules that entity definitions cannot express: case-insensitive uniqueness, an append-only payment history, the outline version
 * that is the cache key of study pages, and the attempt limiter's table (in the format of rate-limiter-flexible).
 */
export class GuardsAndTriggers extends Migration {
  override name = '20261121091200-guards-and-triggers';

  override up(): void {
    this.addSql(`create unique index app_user_email_unique on app_user (lower(email));`);
    this.addSql(`create unique index app_user_username_unique on app_user (lower(username));`);
    this.addSql(`alter table prepa add constraint prepa_prix_positive check (prix > 0);`);
    this.addSql(`alter table payment add constraint payment_amount_positive check (amount > 0);`);

    // A partial index: few notifications wait for processing.
    this.addSql(`create index payment_notification_waiting_index on payment_notification (id) where processed_at is null;`);

    this.addSql(`create table attempt_limit (key varchar(255) primary key, points integer not null default 0, expire bigint);`);

    this.addSql(`
      create function refuse_change() returns trigger language plpgsql as $$
      begin
        raise exception '% is append-only', tg_table_name;
      end $$;`);
    this.addSql(`
      create trigger payment_event_append_only before update or delete or truncate on payment_event
      for each statement execute function refuse_change();`);

    this.addSql(`
      create function count_outline_change() returns trigger language plpgsql as $$
      begin
        if tg_op = 'INSERT' then
          update discipline set outline_version = outline_version + 1 where id in (select discipline_id from new_items);
        else
          update discipline set outline_version = outline_version + 1 where id in (select discipline_id from old_items);
        end if;
        return null;
      end $$;`);
    this.addSql(`
      create trigger item_inserted after insert on item referencing new table as new_items
      for each statement execute function count_outline_change();`);
    this.addSql(`
      create trigger item_updated after update on item referencing old table as old_items
      for each statement execute function count_outline_change();`);
    this.addSql(`
      create trigger item_deleted after delete on item referencing old table as old_items
      for each statement execute function count_outline_change();`);
  }

  override down(): void {
    this.addSql(`drop trigger item_deleted on item; drop trigger item_updated on item; drop trigger item_inserted on item;`);
    this.addSql(`drop function count_outline_change();`);
    this.addSql(`drop trigger payment_event_append_only on payment_event; drop function refuse_change();`);
    this.addSql(`drop table attempt_limit;`);
    this.addSql(`drop index payment_notification_waiting_index;`);
    this.addSql(`alter table payment drop constraint payment_amount_positive;`);
    this.addSql(`alter table prepa drop constraint prepa_prix_positive;`);
    this.addSql(`drop index app_user_username_unique; drop index app_user_email_unique;`);
  }
}
