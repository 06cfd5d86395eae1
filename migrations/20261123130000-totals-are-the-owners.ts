import { Migration } from '@mikro-orm/migrations';

/** The triggers that keep totals and tallies, and the function that one of them calls. */
const triggers = ['count_payment()', 'count_refund()', 'tally_readings()', 'tally_practices()', 'revise_catalogue()'];
const called = 'add_to_payment_totals(timestamptz, text, int, text, int, int, int, int)';

/** Where a function that works as the owner looks for what it names. */
export const ownersPath = (signature: string): string =>
  `do $$ begin execute format('alter function ${signature} set search_path = %I, pg_temp', current_schema()); end $$;`;

/**
 * Totals of payments, tallies of items and the catalogue's revision are written by their triggers as the owner, so that nobody else needs the right to.
 * Temporary tables come last there: they would be found first otherwise, and whoever makes one would have the owner work on it.
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
