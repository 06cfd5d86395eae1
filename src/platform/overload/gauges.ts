import type { MikroORM } from '@mikro-orm/postgresql';

/** Between two looks at the clock, in ms: what is later was waiting for the event loop. */
const tickMs = 20;
/** How long is looked back, in ms. */
const windowMs = 250;

/** How long what arrives at any moment waits for the event loop, in ms, of the last quarter of a second. */
export function watchEventLoop(): { delayMs(): number; stop(): void } {
  let delayMs = 0;
  let [last, time, squares] = [performance.now(), 0, 0];
  // Not perf_hooks' histogram: its own timer may run after this one, and a pause that has just ended is then told a window later.
  const timer = setInterval(() => {
    const now = performance.now();
    const passed = now - last;
    last = now;
    time += passed;
    squares += passed ** 2;
    if (time < windowMs) return;
    // By time, since one long pause holds more arrivals than many short ones; who arrives at random waits for half of it.
    delayMs = Math.max(0, (squares / time - tickMs) / 2);
    [time, squares] = [0, 0];
  }, tickMs).unref();
  return { delayMs: () => delayMs, stop: () => clearInterval(timer) };
}

/** How many statements wait for a connection of the pool. */
export async function poolWaiting(orm: MikroORM): Promise<() => number> {
  const pool = await orm.em.getConnection().getNativeClient();
  return () => pool.waitingCount;
}
