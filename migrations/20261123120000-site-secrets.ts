import { Migration } from '@mikro-orm/migrations';

/** The site's signing secrets, one per purpose. The first process that needs one creates it; all processes share it. */
export class SiteSecrets extends Migration {
  override name = '20261123120000-site-secrets';

  override up(): void {
    this.addSql(`create table site_secret (name varchar(40) constraint site_secret_pkey primary key, secret bytea not null);`);
  }

  override down(): void {
    this.addSql(`drop table site_secret;`);
  }
}
