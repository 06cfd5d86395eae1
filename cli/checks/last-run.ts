import type { Kernel } from '../../src/kernel.ts';
import { lastRuns, type Task } from '../../src/platform/observability/task-runs.ts';
import { formatInstant } from '../../src/shared/dates.ts';
import { fault, type Verdict } from './check.ts';

interface Timer {
  task: Task;
  /** Time after the last run from which the timer counts as stopped, in ms. */
  lateAfterMs: number;
  /** Statement that returns a row if learners wait for the task's first run. */
  awaited: string;
  remedy: string;
}

/** Returns a fault if a timer has stopped, or was never started although learners wait for it; null otherwise. */
export async function stoppedTimer({ fork, clock }: Kernel, { task, lateAfterMs, awaited, remedy }: Timer): Promise<Verdict | null> {
  const { [task]: at } = await lastRuns(fork());
  if (at)
    return clock.now().getTime() - at.getTime() > lateAfterMs ? fault(`rien n'est parti depuis le ${formatInstant(at)}`, remedy) : null;
  const waiting = await fork().execute(awaited);
  return waiting.length > 0 ? fault("des candidats attendent, et rien n'est jamais parti", remedy) : null;
}
