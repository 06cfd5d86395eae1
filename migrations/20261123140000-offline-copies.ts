import { Migration } from '@mikro-orm/migrations';

/** Prepas kept on learners' devices for reading offline, actions taken there, and the size of pictures. */
export class OfflineCopies extends Migration {
  override name = '20261123140000-offline-copies';

  override up(): void {
    this.addSql(`
      create table offline_device (
        id serial primary key,
        user_id uuid not null constraint offline_device_user_id_foreign references app_user (id) on delete cascade,
        secret varchar(64) not null constraint offline_device_secret_unique unique,
        nom varchar(60) not null,
        session_id varchar(64) null,
        seen_at timestamptz not null,
        ended varchar(20) null,
        removed_at timestamptz null,
        created_at timestamptz not null
      );
    `);
    this.addSql(`create index offline_device_user_index on offline_device (user_id);`);
    this.addSql(`create index offline_device_session_index on offline_device (session_id);`);
    this.addSql(`
      create table offline_copy (
        device_id int not null constraint offline_copy_device_id_foreign references offline_device (id) on update cascade on delete cascade,
        prepa_id int not null constraint offline_copy_prepa_id_foreign references prepa (id) on update cascade on delete cascade,
        disciplines int[] null,
        kept_at timestamptz not null,
        primary key (device_id, prepa_id)
      );
    `);
    this.addSql(`create index offline_copy_prepa_index on offline_copy (prepa_id);`);
    this.addSql(`
      create table offline_entry (
        user_id uuid not null constraint offline_entry_user_id_foreign references app_user (id) on delete cascade,
        cle uuid not null,
        item_id int not null constraint offline_entry_item_id_foreign references item (id) on delete cascade,
        type text not null constraint offline_entry_type_check check (type in ('lu', 'termine', 'reussi', 'a_revoir')),
        at timestamptz not null,
        taken_at timestamptz not null,
        primary key (user_id, cle)
      );
    `);
    this.addSql(`create index offline_entry_item_user_index on offline_entry (item_id, user_id);`);
    this.addSql(`create index offline_entry_taken_index on offline_entry (taken_at);`);
    this.addSql(`alter table content_image add octets int null;`);
  }

  override down(): void {
    this.addSql(`alter table content_image drop column octets;`);
    this.addSql(`drop table offline_entry;`);
    this.addSql(`drop table offline_copy;`);
    this.addSql(`drop table offline_device;`);
  }
}
