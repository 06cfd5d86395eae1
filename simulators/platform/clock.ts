/** A simulator's time, in epoch ms. */
export interface SimulatedClock {
  now(): number;
  /** Real ms until then; 0 when it has come. */
  delayUntil(at: number): number;
  /** Pushes time forward by `ms`. */
  advance(ms: number): void;
  /** Back to the base's time. */
  reset(): void;
}

/** Time that runs `speed` times as fast as `base` from now on, and that may be pushed forward. */
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
