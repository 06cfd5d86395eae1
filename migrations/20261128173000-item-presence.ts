import { Migration } from '@mikro-orm/migrations';

/** Which administrators have an item open (decision 133). Unlogged: after a crash of the database, pages say it again within a minute. */
export class ItemPresence extends Migration {
  override name = '20261128173000-item-presence';

  override up(): void {
    this.addSql(`
      create unlogged table item_presence (
        item_id int not null,
        page varchar(36) not null,
        administrator_id uuid not null
          constraint item_presence_administrator_id_foreign references administrator (id) on delete cascade,
        opened_at timestamptz not null,
        seen_at timestamptz not null,
        primary key (item_id, page)
      );`);
    this.addSql(`create index item_presence_administrator_index on item_presence (administrator_id);`);
    this.addSql(`create index item_presence_seen_index on item_presence (seen_at);`);
  }

  override down(): void {
    this.addSql(`drop table item_presence;`);
  }
}
