import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../database/named-statement.ts';

/** Tasks of the system's timers whose last completion is recorded. Payments have their own record, of reconciliation. */
export const tasks = ['expire', 'prune', 'backup', 'backup-media', 'push', 'letters'] as const;
export type Task = (typeof tasks)[number];

const record = `insert into task_run (name, finished_at) values ($1, $2) on conflict (name) do update set finished_at = excluded.finished_at`;

/** A pool or a connection. */
interface Database {
  query(text: string, values: unknown[]): Promise<unknown>;
}

/** Records that a task has completed. A missing table, before the migration of an upgrade, is ignored. */
export async function recordRunOn(database: Database, task: Task, at: Date): Promise<void> {
  try {
    await database.query(record, [task, at.toISOString()]);
  } catch (error) {
    if ((error as { code?: unknown }).code !== '42P01') throw error;
  }
}

export const recordRun = async (em: EntityManager, task: Task, at: Date): Promise<void> =>
  recordRunOn(await em.getConnection().getNativeClient(), task, at);

const all = namedStatement<{ name: Task; finishedAt: Date }>({
  name: 'platform.task-runs',
  text: 'select name, finished_at from task_run',
});

/** Returns when each task last completed; tasks without a record are absent. */
export const lastRuns = async (em: EntityManager): Promise<Partial<Record<Task, Date>>> =>
  Object.fromEntries((await all(em, [])).map(({ name, finishedAt }) => [name, finishedAt]));
