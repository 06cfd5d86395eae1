import { Migration } from '@mikro-orm/migrations';

/** Marks that learners gave their practices by the scale of a correction (decision 105). */
export class PracticeMarks extends Migration {
  override name = '20261127235650-practice-marks';

  override up(): void {
    this.addSql(`
      create table practice_mark (
        user_id uuid not null constraint practice_mark_user_id_foreign references app_user (id) on delete cascade,
        cle uuid not null,
        item_id int not null constraint practice_mark_item_id_foreign references item (id) on delete cascade,
        verdict text not null constraint practice_mark_verdict_check check (verdict in ('reussi', 'a_revoir')),
        points numeric(5,2) not null,
        possible numeric(5,2) not null,
        seconds int null,
        marked_at timestamptz not null,
        primary key (user_id, cle)
      );
    `);
    this.addSql(`create index practice_mark_item_index on practice_mark (item_id);`);
    this.addSql(`create index practice_mark_user_date_index on practice_mark (user_id, marked_at);`);
  }

  override down(): void {
    this.addSql(`drop table practice_mark;`);
  }
}
