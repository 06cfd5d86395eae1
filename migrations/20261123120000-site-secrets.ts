import { Migration } from '@mikro-orm/migrations';

/** What the site signs with, one value for each use: made by the first process that needs it, the same for all of them. */
export class SiteSecrets extends Migration {
  override name = '20261123120000-site-secrets';

  override up(): void {
    this.addSql(`create table site_secret (name varchar(40) constraint site_secret_pkey primary key, secret bytea not null);`);
  }

  override down(): void {
    this.addSql(`drop table site_secret;`);
  }
}
