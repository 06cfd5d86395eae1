import type { UseCaseContext } from '../../platform/events.ts';

/** Work that an answer does not wait for. Whatever is given up here is done later by reconciliation: nothing lives in this queue alone. */
export interface BackgroundWork {
  /** False when the queue is full or closing: the task is left to reconciliation. */
  add(task: () => Promise<unknown>): boolean;
  /** Takes nothing more, forgets what waits, and resolves once what runs has ended. */
  close(): Promise<void>;
}

interface Limits {
  concurrency: number;
  waiting: number;
}

export function createBackgroundWork(log: UseCaseContext['log'], { concurrency, waiting }: Limits): BackgroundWork {
  const queue: (() => Promise<unknown>)[] = [];
  const running = new Set<Promise<void>>();
  let closing = false;

  function next(): void {
    if (running.size >= concurrency) return;
    const task = queue.shift();
    if (!task) return;
    const run = Promise.resolve()
      .then(task)
      .catch((error: unknown) => log.error({ err: error }, 'background payment work failed'))
      .then(() => {
        running.delete(run);
        next();
      });
    running.add(run);
  }

  return {
    add(task) {
      if (closing || queue.length >= waiting) return false;
      queue.push(task);
      next();
      return true;
    },
    async close() {
      closing = true;
      queue.length = 0;
      await Promise.all(running);
    },
  };
}
