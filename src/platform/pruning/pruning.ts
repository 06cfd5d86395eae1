import type { EntityManager } from '@mikro-orm/postgresql';
import { dayMs } from '../../shared/dates.ts';
import { holdOffBackups, lockNames } from '../database/advisory-lock.ts';
import { AppError } from '../errors.ts';
import type { Config } from '../settings/config.ts';
import { requireRightClock } from '../use-cases/clock-check.ts';
import type { UseCaseContext } from '../use-cases/events.ts';
import { transact } from '../use-cases/transaction.ts';

/** Days for which obsolete data is kept, from the settings. */
type Retention = Config['retention'];

export interface PruningRun {
  em: EntityManager;
  context: UseCaseContext;
  retention: Retention;
  /** Time of the whole run. */
  now: Date;
  /** Runs one batch in a short transaction. Only one batch runs at a time, even with several runs. */
  batch<Result>(work: (tx: EntityManager) => Promise<Result>): Promise<Result>;
}

/** Removes obsolete data of a module from its tables or files. */
export interface Pruning {
  /** Name in the command's JSON output: `sessions`. */
  name: string;
  /** French label for people. */
  label: string;
  /** Returns how many a run would remove now. */
  count(run: PruningRun): Promise<number>;
  /** Removes them in batches, and yields the number of each batch. Rows locked by another transaction are left to the next run. */
  remove(run: PruningRun): AsyncIterable<number>;
}

export const daysAgo = ({ now }: PruningRun, days: number): Date => new Date(now.getTime() - days * dayMs);

const batchSize = 1_000;

interface Rows {
  table: string;
  /** Primary key, a single column. */
  key: string;
  /** SQL condition on the table, used for counting and for removing. */
  condition: string;
  values(run: PruningRun): unknown[];
}

/** Returns a pruning that deletes rows and nothing else. The condition needs an index, since each batch evaluates it again. */
export const pruneRows = (name: string, label: string, { table, key, condition, values }: Rows): Pruning => ({
  name,
  label,
  async count(run) {
    const [row] = await run.em.execute<{ count: number }[]>(`select count(*)::int as count from ${table} where ${condition}`, values(run));
    return row?.count ?? 0;
  },
  async *remove(run) {
    let removed = batchSize;
    while (removed === batchSize) {
      removed = await run.batch(async (tx) => {
        const statement = `delete from ${table} where ${key} in (select ${key} from ${table} where ${condition} limit ${batchSize} for update skip locked)`;
        const { affectedRows } = await tx.execute<{ affectedRows: number }>(statement, values(run), 'run');
        return affectedRows;
      });
      yield removed;
    }
  },
});

const backupUnderWay = () =>
  new AppError(
    'PRUNE.BACKUP',
    409,
    "Une sauvegarde est en cours : rien de plus n'a été retiré. Relancez la commande quand elle sera finie.",
  );

interface PruneOptions {
  retention: Retention;
  dryRun?: boolean;
  onProgress?: (label: string, removed: number) => void;
}

/**
 * Removes obsolete data, in the order of the prunings, and returns the number for each. Safe to run several times at once and to be killed:
 * each batch is committed separately, and the next run continues.
 * @throws WrongClockError, and AppError while a backup is running, which still has to read the files of its rows
 */
export async function prune(
  em: EntityManager,
  context: UseCaseContext,
  prunings: readonly Pruning[],
  { retention, dryRun = false, onProgress }: PruneOptions,
): Promise<Record<string, number>> {
  await requireRightClock(em);
  const run: PruningRun = {
    em,
    context,
    retention,
    now: context.clock.now(),
    batch: (work) =>
      transact(em, context, async (tx) => {
        await lockNames(tx, ['prune']);
        if (!(await holdOffBackups(tx))) throw backupUnderWay();
        return work(tx);
      }),
  };
  const counts: Record<string, number> = {};
  for (const pruning of prunings) {
    let count = dryRun ? await pruning.count(run) : 0;
    if (!dryRun) {
      for await (const removed of pruning.remove(run)) {
        count += removed;
        onProgress?.(pruning.label, count);
      }
    }
    counts[pruning.name] = count;
  }
  return counts;
}
