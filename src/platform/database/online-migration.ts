import { setTimeout as sleep } from 'node:timers/promises';
import { Migration } from '@mikro-orm/migrations';

export interface Batches {
  table: string;
  /** A unique column that rows are taken by, in its order. */
  key?: string;
  /** What still has to be done: a row that is done no longer fits, so that a run that was stopped goes on where it stood. */
  where: string;
  /** As after `update … set`. */
  set: string;
}

/** Rows of the first batch; those that follow are as many as take `batchMs`. */
const firstBatch = 100;
const maxRows = 5_000;
/** What a batch should take, in ms: as long may whoever wants one of its rows wait. */
const batchMs = 200;

/**
 * A migration for tables in use: each statement is committed by itself, so that none holds its locks for the others. It may be stopped anywhere and is begun
 * anew then (docs/decisions/063-migrations-without-downtime.md): every statement must bear to be run again.
 */
export abstract class OnlineMigration extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  /** Builds an index while rows are read and written. @param definition as after `create index … on` */
  protected async createIndex(name: string, definition: string, { unique = false } = {}): Promise<void> {
    await this.withoutLockTimeout(async () => {
      // One whose building was stopped has its name already, costs every write, and serves nobody.
      const [left] = await this.execute(`select from pg_index where indexrelid = to_regclass('${name}') and not indisvalid`);
      if (left) await this.execute(`drop index concurrently if exists "${name}"`);
      await this.execute(`create ${unique ? 'unique ' : ''}index concurrently if not exists "${name}" on ${definition}`);
    });
  }

  protected async dropIndex(name: string): Promise<void> {
    await this.withoutLockTimeout(() => this.execute(`drop index concurrently if exists "${name}"`));
  }

  /** Changes rows a few at a time, with as long a pause after each batch, and answers how many. */
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

  /** For what waits without making others wait: building an index waits for every transaction that is older. */
  private async withoutLockTimeout(work: () => Promise<unknown>): Promise<void> {
    await this.execute('set lock_timeout = 0');
    try {
      await work();
    } finally {
      await this.execute('reset lock_timeout');
    }
  }
}
