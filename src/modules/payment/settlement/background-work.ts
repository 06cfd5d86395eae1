import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import type { UseCaseContext } from '../../../platform/use-cases/events.ts';

interface Limits {
  concurrency: number;
  waiting: number;
  /** Gives way to requests: a task begins when this process has had time to spare and no more tasks come in, and after `maxWaitMs` all the same. */
  yields?: boolean;
}

/** Share of its time that the process may be busy with when a task begins that gives way. */
const spareBelow = 0.5;
/** A burst is over when nothing has come for so long, in ms. */
const burstOver = 200;
/** Between two looks, in ms. */
const lookEvery = 25;
/** However busy the process is, a task begins after as many ms: under a load that never ends, work still goes on. */
const maxWaitMs = 1_500;

/** Resolves once the process has been less than half busy since the last look and `quiet` says so too, or soon when `hurry` does. */
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

/** Work that an answer does not wait for. Whatever is given up here is done later by reconciliation: nothing lives in this queue alone. */
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
    /** False when the queue is full or closing: the task is left to reconciliation. */
    add(task: () => Promise<unknown>): boolean {
      if (closing || queue.length >= waiting) return false;
      lastAdded = performance.now();
      queue.push(task);
      next();
      return true;
    },
    /** Takes nothing more, forgets what waits, and resolves once what runs has ended. */
    async close(): Promise<void> {
      closing = true;
      queue.length = 0;
      await Promise.all(running);
    },
  };
}
