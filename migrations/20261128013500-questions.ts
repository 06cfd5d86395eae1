import { Migration } from '@mikro-orm/migrations';

/** Questions in texts, with their keys apart from the text (decision 110). */
export class Questions extends Migration {
  override name = '20261128013500-questions';

  override up(): void {
    this.addSql(`
      create table question (
        id varchar(12) primary key,
        item_id int not null constraint question_item_id_foreign references item (id) on delete cascade,
        position int null,
        kind text not null constraint question_kind_check check (kind in ('one', 'several', 'number', 'text')),
        points numeric(5,2) not null,
        key jsonb not null,
        judged jsonb not null,
        usable boolean not null,
        key_version int not null default 1
      );
    `);
    this.addSql(`create index question_item_index on question (item_id);`);
    this.addSql(`alter table item add column keys jsonb not null default '[]';`);
    this.addSql(`alter table item_version add column keys jsonb not null default '[]';`);
  }

  override down(): void {
    this.addSql(`drop table question;`);
    this.addSql(`alter table item drop column keys;`);
    this.addSql(`alter table item_version drop column keys;`);
  }
}
