import { setTimeout as sleep } from 'node:timers/promises';
import { Migration } from '@mikro-orm/migrations';

export interface Batches {
  table: string;
  /** A unique column; rows are updated in its order. */
  key?: string;
  /** Selects the rows that are still to be updated, so that a stopped run continues where it ended. */
  where: string;
  /** The assignments after `update … set`. */
  set: string;
}

/** Rows of the first batch; later batches are sized to take `batchMs`. */
const firstBatch = 100;
const maxRows = 5_000;
/** Target duration of a batch, in ms: other writers of these rows wait as long. */
const batchMs = 200;

/**
 * A migration for tables in use: each statement is committed separately, so that no lock is held during another statement. It may be
 * stopped at any point and is then run from its beginning (docs/decisions/063-migrations-without-downtime.md), so every statement must be
 * repeatable.
 */
export abstract class OnlineMigration extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  /** Builds an index without blocking reads and writes. @param definition the text after `create index … on` */
  protected async createIndex(name: string, definition: string, { unique = false } = {}): Promise<void> {
    await this.withoutLockTimeout(async () => {
      // An interrupted build leaves an invalid index with this name, which slows every write and serves no query.
      const [left] = await this.execute(`select from pg_index where indexrelid = to_regclass('${name}') and not indisvalid`);
      if (left) await this.execute(`drop index concurrently if exists "${name}"`);
      await this.execute(`create ${unique ? 'unique ' : ''}index concurrently if not exists "${name}" on ${definition}`);
    });
  }

  protected async dropIndex(name: string): Promise<void> {
    await this.withoutLockTimeout(() => this.execute(`drop index concurrently if exists "${name}"`));
  }

  /** Updates rows in batches, with a pause as long as each batch. Returns the number of updated rows. */
  protected async updateInBatches({ table, key = 'id', where, set }: Batches): Promise<number> {
    let rows = firstBatch;
    let last: string | null = null;
    let changed = 0;
    for (;;) {
      const began = performance.now();
      const [batch] = (await this.execute(
        `with batch as (
           select "${key}" as key from "${table}" where (${where}) ${last === null ? '' : `and "${key}" > '${last}'`}
           order by "${key}" limit ${rows} for no key update),
         changed as (update "${table}" set ${set} from batch where "${table}"."${key}" = batch.key)
         select count(*)::int as rows, (select key::text from batch order by key desc limit 1) as last from batch`,
      )) as { rows: number; last: string | null }[];
      if (!batch?.last) return changed;
      changed += batch.rows;
      last = batch.last;
      const tookMs = performance.now() - began;
      rows = Math.max(1, Math.min(maxRows, 2 * rows, Math.round((rows * batchMs) / tookMs)));
      await sleep(tookMs);
    }
  }

  /** Runs a statement that waits without blocking others: building an index waits for every older transaction. */
  private async withoutLockTimeout(work: () => Promise<unknown>): Promise<void> {
    await this.execute('set lock_timeout = 0');
    try {
      await work();
    } finally {
      await this.execute('reset lock_timeout');
    }
  }
}
