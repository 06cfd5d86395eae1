import { DeadlockException, type EntityManager } from '@mikro-orm/postgresql';
import type { UseCaseContext } from './events.ts';

/** Leaves work for after the commit, when other connections see the change: removing files that nothing shows any more, for instance. */
export type AfterCommit = (work: () => Promise<void>) => void;

/** Times that a change is tried again when PostgreSQL has ended it to resolve a deadlock. */
const retries = 3;

/**
 * Runs a change in one transaction of its own, again when it was the victim of a deadlock, then what it left for afterwards. That never fails
 * the change, which stands already: it is logged.
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
