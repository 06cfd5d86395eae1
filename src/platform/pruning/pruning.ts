import type { EntityManager } from '@mikro-orm/postgresql';
import { dayMs } from '../../shared/dates.ts';
import { holdOffBackups, lockNames } from '../database/advisory-lock.ts';
import { AppError } from '../errors.ts';
import type { Config } from '../settings/config.ts';
import { requireRightClock } from '../use-cases/clock-check.ts';
import type { UseCaseContext } from '../use-cases/events.ts';
import { transact } from '../use-cases/transaction.ts';

/** How long what is of no use any more is kept, in days, by the settings. */
type Retention = Config['retention'];

/** What a pruning works with. */
export interface PruningRun {
  em: EntityManager;
  context: UseCaseContext;
  retention: Retention;
  /** Of the whole run. */
  now: Date;
  /** Runs one batch: a short transaction of its own, and one at a time however many runs there are. */
  batch<Result>(work: (tx: EntityManager) => Promise<Result>): Promise<Result>;
}

/** Something that a module's tables or files hold and that is of no use any more after a time. */
export interface Pruning {
  /** In the command's answer: `sessions`. */
  name: string;
  /** For people, in French. */
  label: string;
  /** How many a run would remove now. */
  count(run: PruningRun): Promise<number>;
  /** Removes them, batch by batch; yields how many each has removed. What another transaction holds is left to the next run. */
  remove(run: PruningRun): AsyncIterable<number>;
}

export const daysAgo = ({ now }: PruningRun, days: number): Date => new Date(now.getTime() - days * dayMs);

/** Rows that one transaction removes. */
const batchSize = 1_000;

interface Rows {
  table: string;
  /** Its primary key, one column. */
  key: string;
  /** SQL over the table, the same for counting and for removing. */
  condition: string;
  values(run: PruningRun): unknown[];
}

/** A pruning of rows that go by themselves. The condition is to be found by an index: each batch asks anew. */
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
  /** Counts only. */
  dryRun?: boolean;
  onProgress?: (label: string, removed: number) => void;
}

/**
 * Removes what is of no use any more, in the order of the prunings, and says how many of each. Safe to run several times at once and to be killed: each
 * batch stands for itself, and the next run goes on where this one has ended.
 * @throws WrongClockError, and AppError while a backup is under way, which has yet to read the files that its rows name
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
