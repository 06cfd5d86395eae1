import { Migration } from '@mikro-orm/migrations';

/** The trigger functions that update totals and tallies, and the function that one of them calls. */
const triggers = ['count_payment()', 'count_refund()', 'tally_readings()', 'tally_practices()', 'revise_catalogue()'];
const called = 'add_to_payment_totals(timestamptz, text, int, text, int, int, int, int)';

/** Returns SQL that sets the search_path of a function with the owner's rights. */
export const ownersPath = (signature: string): string =>
  `do $$ begin execute format('alter function ${signature} set search_path = %I, pg_temp', current_schema()); end $$;`;

/**
 * Triggers update totals, tallies and the catalogue's revision with the owner's rights, so that no other role needs the right to write.
 * pg_temp comes last in the search_path: otherwise a temporary table of the same name would be used with the owner's rights.
 */
export class TotalsAreTheOwners extends Migration {
  override name = '20261123130000-totals-are-the-owners';

  override up(): void {
    for (const signature of [...triggers, called]) this.addSql(ownersPath(signature));
    for (const signature of triggers) this.addSql(`alter function ${signature} security definer;`);
  }

  override down(): void {
    for (const signature of triggers) this.addSql(`alter function ${signature} security invoker;`);
    for (const signature of [...triggers, called]) this.addSql(`alter function ${signature} set search_path from current;`);
  }
}
