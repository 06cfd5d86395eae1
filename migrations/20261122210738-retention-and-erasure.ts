import { Migration } from '@mikro-orm/migrations';

/** Columns of append-only tables that never change. Erasing a learner changes only the other columns. */
const facts = {
  payment_event: ['id', 'payment_id', 'type', 'actor', 'operator', 'from_status', 'to_status', 'returned', 'at'],
  enrolment_extension: [
    'id',
    'enrolment_id',
    'payment_id',
    'reverses_id',
    'days',
    'source',
    'operator',
    'expires_before',
    'expires_after',
    'created_at',
  ],
  audit_entry: ['id', 'at', 'administrator_id', 'actor', 'action', 'subject', 'subject_id'],
};

/** Lets the erasure of a learner update append-only tables. */
export class RetentionAndErasure extends Migration {
  override name = '20261122210738-retention-and-erasure';

  override up(): void {
    this.addSql(`alter table "app_user" add "erased_at" timestamptz null;`);

    this.addSql(`
      create or replace function refuse_change() returns trigger language plpgsql set search_path from current as $$
      begin
        -- Said by the transaction that erases a learner; the triggers on rows see that no fact changes.
        if tg_op = 'UPDATE' and tg_level = 'STATEMENT' and current_setting('prepa.erasing', true) = 'on' then return null; end if;
        raise exception '% is append-only', tg_table_name;
      end $$;`);
    for (const [table, columns] of Object.entries(facts)) {
      const changed = columns.map((column) => `new.${column} is distinct from old.${column}`).join(' or ');
      this.addSql(
        `create trigger ${table}_facts_stay before update on ${table} for each row when (${changed}) execute function refuse_change();`,
      );
    }
  }

  override down(): void {
    for (const table of Object.keys(facts)) this.addSql(`drop trigger ${table}_facts_stay on ${table};`);
    this.addSql(`
      create or replace function refuse_change() returns trigger language plpgsql set search_path from current as $$
      begin
        raise exception '% is append-only', tg_table_name;
      end $$;`);
    this.addSql(`alter table "app_user" drop column "erased_at";`);
  }
}
