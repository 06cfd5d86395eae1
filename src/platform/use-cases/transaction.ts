import { DeadlockException, type EntityManager } from '@mikro-orm/postgresql';
import type { UseCaseContext } from './events.ts';

/** Registers work to do after the commit, when other connections see the change: for instance deleting files that are no longer used. */
export type AfterCommit = (work: () => Promise<void>) => void;

/** Retries of a change that PostgreSQL ended to resolve a deadlock. */
const retries = 3;

/**
 * Runs a change in its own transaction, and again after a deadlock. Then runs the work that it registered for after the commit. A failure
 * of this work is only logged, since the change is already committed.
 */
export async function transact<Result>(
  em: EntityManager,
  { log }: Pick<UseCaseContext, 'log'>,
  change: (tx: EntityManager, afterCommit: AfterCommit) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 0; ; attempt += 1) {
    const afterwards: (() => Promise<void>)[] = [];
    try {
      const result = await em.fork().transactional((tx) => change(tx, (work) => afterwards.push(work)));
      for (const work of afterwards) await work().catch((error: unknown) => log.error({ err: error }, 'work after a commit failed'));
      return result;
    } catch (error) {
      if (!(error instanceof DeadlockException) || attempt === retries) throw error;
    }
  }
}
