/** A simulator's time, in epoch ms. */
export interface SimulatedClock {
  now(): number;
  /** Returns the real ms until `at`, or 0 if that time has passed. */
  delayUntil(at: number): number;
  /** Moves the time forward by `ms`. */
  advance(ms: number): void;
  /** Undoes all `advance` calls. */
  reset(): void;
}

/** Creates a clock that runs `speed` times as fast as `base` and can be moved forward. */
export function createSimulatedClock(base: () => number, speed = 1): SimulatedClock {
  const start = base();
  let advanced = 0;
  const now = () => start + (base() - start) * speed + advanced;
  return {
    now,
    delayUntil: (at) => Math.max(0, (at - now()) / speed),
    advance(ms) {
      advanced += ms;
    },
    reset() {
      advanced = 0;
    },
  };
}
