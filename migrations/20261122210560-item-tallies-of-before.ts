import { Migration } from '@mikro-orm/migrations';

/** Counts earlier marks, a batch of items at a time. A mark written meanwhile waits for one batch at most. */
export class ItemTalliesOfBefore extends Migration {
  override name = '20261122210560-item-tallies-of-before';

  /** Each batch has its own transaction. */
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    this.addSql(`
      do $$
      declare
        batch constant int := 1000;
        first int := (select min(id) from item);
        last constant int := (select max(id) from item);
      begin
        while first <= last loop
          perform retally_items(first, first + batch - 1);
          commit;
          first := first + batch;
        end loop;
      end $$;`);
  }

  override down(): void {
    this.addSql(`truncate item_tally;`);
  }
}
