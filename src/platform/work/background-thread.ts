import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import { restMs } from './rest.ts';

/** How far a background thread stands back behind pages, from 0 to 19: about a tenth of what those get of a core, where both want all of it. */
const niceness = 10;

/**
 * Returns `work` for a thread that does nothing else: it stands back, and rests where others want its core (decision 060). Called once, when the thread starts.
 */
export function inBackground<Task, Result>(work: (task: Task) => Result): (task: Task) => Result {
  standBack();
  /** Until when this thread rests, by performance.now(). */
  let restsUntil = 0;
  const sleeper = new Int32Array(new SharedArrayBuffer(4));
  return (task) => {
    // After the answer of the one before, which need not wait for it.
    Atomics.wait(sleeper, 0, 0, Math.max(0, restsUntil - performance.now()));
    const [began, before] = [performance.now(), process.threadCpuUsage()];
    const result = work(task);
    const { user, system } = process.threadCpuUsage(before);
    const ended = performance.now();
    restsUntil = ended + restMs(ended - began, (user + system) / 1000);
    return result;
  };
}

/** Linux counts niceness by thread; elsewhere it would be that of the whole process. */
function standBack(): void {
  if (process.platform !== 'linux') return;
  try {
    const [thread] = /\d+$/.exec(readlinkSync('/proc/thread-self')) ?? [];
    if (thread) setPriority(Number(thread), niceness);
  } catch {
    // Without /proc it works as fast as all else.
  }
}
