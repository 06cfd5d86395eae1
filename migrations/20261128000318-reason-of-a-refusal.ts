import { Migration } from '@mikro-orm/migrations';

/** Why the payer's account refused a payment (decision 104). */
export class ReasonOfARefusal extends Migration {
  override name = '20261128000318-reason-of-a-refusal';

  override up(): void {
    this.addSql(`alter table payment add column refusal varchar(20) null;`);
  }

  override down(): void {
    this.addSql(`alter table payment drop column refusal;`);
  }
}
