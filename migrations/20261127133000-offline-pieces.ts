import { Migration } from '@mikro-orm/migrations';

/** Texts as devices fetch them, compressed. Filled when items are saved and when devices request them (decision 085). */
export class OfflinePieces extends Migration {
  override name = '20261127133000-offline-pieces';

  override up(): void {
    this.addSql(`
      create table offline_piece (
        discipline_id int not null constraint offline_piece_discipline_id_foreign references discipline (id) on delete cascade,
        fingerprint varchar(22) not null,
        length int not null,
        crc int not null,
        deflated bytea not null,
        primary key (discipline_id, fingerprint)
      );
    `);
    // The column is compressed already.
    this.addSql(`alter table offline_piece alter deflated set storage external;`);
  }

  override down(): void {
    this.addSql(`drop table offline_piece;`);
  }
}
