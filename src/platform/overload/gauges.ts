import type { MikroORM } from '@mikro-orm/postgresql';

/** Interval of the timer, in ms; its lateness is the event loop's delay. */
const tickMs = 20;
/** Length of one measurement, in ms. */
const windowMs = 250;

/** Measures the event loop. `delayMs()` returns the average time, in ms, that a new event waited for it during the last measurement. */
export function watchEventLoop(): { delayMs(): number; stop(): void } {
  let delayMs = 0;
  let [last, time, squares] = [performance.now(), 0, 0];
  // perf_hooks' histogram has its own timer, which may run after this one: a pause that has just ended would be reported one window late.
  const timer = setInterval(() => {
    const now = performance.now();
    const passed = now - last;
    last = now;
    time += passed;
    squares += passed ** 2;
    if (time < windowMs) return;
    // Weighted by time: more events arrive in one long pause than in many short ones. An event at a random moment waits half a pause.
    delayMs = Math.max(0, (squares / time - tickMs) / 2);
    [time, squares] = [0, 0];
  }, tickMs).unref();
  return { delayMs: () => delayMs, stop: () => clearInterval(timer) };
}

/** Returns a function that counts the statements waiting for a connection of the pool. */
export async function poolWaiting(orm: MikroORM): Promise<() => number> {
  const pool = await orm.em.getConnection().getNativeClient();
  return () => pool.waitingCount;
}
