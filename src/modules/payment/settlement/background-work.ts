import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import type { UseCaseContext } from '../../../platform/use-cases/events.ts';

interface Limits {
  concurrency: number;
  waiting: number;
  /**
   * Lets requests go first: a task starts when the process is idle enough and no more tasks arrive, but at the latest after
   * `maxWaitMs`.
   */
  yields?: boolean;
}

/** Share of busy time below which a yielding task may start. */
const spareBelow = 0.5;
/** Time without new tasks after which a burst is over, in ms. */
const burstOver = 200;
/** Interval between two checks, in ms. */
const lookEvery = 25;
/** Longest wait of a task, in ms, so that work continues under permanent load. */
const maxWaitMs = 1_500;

/**
 * Resolves once the process was less than half busy since the last check and `quiet` returns true, or soon after `hurry` returns
 * true.
 */
async function timeToSpare(quiet: () => boolean, hurry: () => boolean): Promise<void> {
  const deadline = performance.now() + maxWaitMs;
  let before = performance.eventLoopUtilization();
  do {
    await wait(lookEvery);
    const now = performance.eventLoopUtilization();
    if (performance.eventLoopUtilization(now, before).utilization < spareBelow && quiet()) return;
    before = now;
  } while (performance.now() < deadline && !hurry());
}

export type BackgroundWork = ReturnType<typeof createBackgroundWork>;

/** Runs work after the response. Dropped tasks are done later by reconciliation, so no work exists only in this queue. */
export function createBackgroundWork(log: UseCaseContext['log'], { concurrency, waiting, yields = false }: Limits) {
  const queue: (() => Promise<unknown>)[] = [];
  const running = new Set<Promise<void>>();
  let closing = false;
  let lastAdded = 0;
  const quiet = () => performance.now() - lastAdded > burstOver;

  function next(): void {
    if (running.size >= concurrency) return;
    const task = queue.shift();
    if (!task) return;
    const run = (yields ? timeToSpare(quiet, () => closing) : Promise.resolve())
      .then(task)
      .catch((error: unknown) => log.error({ err: error }, 'background payment work failed'))
      .then(() => {
        running.delete(run);
        next();
      });
    running.add(run);
  }

  return {
    /** Adds a task. Returns false when the queue is full or closing: the task is left to reconciliation. */
    add(task: () => Promise<unknown>): boolean {
      if (closing || queue.length >= waiting) return false;
      lastAdded = performance.now();
      queue.push(task);
      next();
      return true;
    },
    /** Drops queued tasks, refuses new ones, and resolves once the running ones have ended. */
    async close(): Promise<void> {
      closing = true;
      queue.length = 0;
      await Promise.all(running);
    },
  };
}
