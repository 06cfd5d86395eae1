import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import { restMs } from './rest.ts';

/** Niceness of background threads, 0 to 19. At 10, a thread gets about a tenth of a core for which pages compete. */
const niceness = 10;

/**
 * Returns `work` for a dedicated thread that yields to pages and pauses when its core is contended (decision 060). Call it once, when the
 * thread starts.
 */
export function inBackground<Task, Result>(work: (task: Task) => Result): (task: Task) => Result {
  standBack();
  /** End of the current pause, by performance.now(). */
  let restsUntil = 0;
  const sleeper = new Int32Array(new SharedArrayBuffer(4));
  return (task) => {
    // Pauses before a task rather than after it, so that the previous result is returned at once.
    Atomics.wait(sleeper, 0, 0, Math.max(0, restsUntil - performance.now()));
    const [began, before] = [performance.now(), process.threadCpuUsage()];
    const result = work(task);
    const { user, system } = process.threadCpuUsage(before);
    const ended = performance.now();
    restsUntil = ended + restMs(ended - began, (user + system) / 1000);
    return result;
  };
}

/** Sets the thread's niceness. Only on Linux: elsewhere it would apply to the whole process. */
function standBack(): void {
  if (process.platform !== 'linux') return;
  try {
    const [thread] = /\d+$/.exec(readlinkSync('/proc/thread-self')) ?? [];
    if (thread) setPriority(Number(thread), niceness);
  } catch {
    // If /proc is missing, the thread keeps its normal priority.
  }
}
