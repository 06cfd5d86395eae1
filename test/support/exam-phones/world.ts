/** Virtual time: work runs at its time, in order, without waiting. */
export interface World {
  /** The true time, in ms. */
  now(): number;
  /** Runs `work` later. @returns a function that cancels it */
  after(ms: number, work: () => unknown): () => void;
  /** Runs everything up to a time. */
  runUntil(time: number): Promise<void>;
}

export function createWorld(start: number): World {
  let now = start;
  let order = 0;
  let waiting: { at: number; order: number; work: () => unknown }[] = [];
  return {
    now: () => now,
    after(ms, work) {
      order += 1;
      const entry = { at: now + Math.max(0, Math.round(ms)), order, work };
      const place = waiting.findLastIndex(({ at }) => at <= entry.at) + 1;
      waiting.splice(place, 0, entry);
      return () => {
        waiting = waiting.filter((other) => other !== entry);
      };
    },
    async runUntil(time) {
      for (;;) {
        const [next] = waiting;
        if (!next || next.at > time) break;
        waiting.shift();
        now = next.at;
        await next.work();
        // Promises that this settled go on before the time does.
        await new Promise((resolve) => setImmediate(resolve));
      }
      now = time;
    },
  };
}
