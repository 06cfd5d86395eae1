import { Migration } from '@mikro-orm/migrations';

/**
 * The revision of the catalogue, used as key of its cache in memory: it changes with each change of a prepa. It is random, so that a
 * restored backup never repeats an earlier revision. It changes at commit, when its row is locked last and briefly.
 */
export class CatalogueRevision extends Migration {
  override name = '20261123050000-catalogue-revision';

  override up(): void {
    this.addSql(
      `create table catalogue_revision (id int constraint catalogue_revision_pkey primary key check (id = 1), revision uuid not null);`,
    );
    this.addSql(`insert into catalogue_revision values (1, gen_random_uuid());`);
    this.addSql(`
      create function revise_catalogue() returns trigger language plpgsql as $$
      begin
        insert into catalogue_revision values (1, gen_random_uuid()) on conflict (id) do update set revision = excluded.revision;
        return null;
      end $$;`);
    this.addSql(`alter function revise_catalogue() set search_path from current;`);
    this.addSql(`
      create constraint trigger prepa_catalogue_changed after insert or update or delete on prepa deferrable initially deferred
      for each row execute function revise_catalogue();`);
  }

  override down(): void {
    this.addSql(`drop trigger prepa_catalogue_changed on prepa;`);
    this.addSql(`drop function revise_catalogue();`);
    this.addSql(`drop table catalogue_revision;`);
  }
}
