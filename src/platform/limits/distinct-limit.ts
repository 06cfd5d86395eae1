import { LRUCache } from 'lru-cache';

/** Of so many callers at most the things are remembered: those who have asked last. */
const maxCallers = 20_000;

interface Window {
  /** In ms since 1970. */
  end: number;
  things: Set<number | string>;
  refused: boolean;
}

/** Why something is not given. */
export interface Refusal {
  /** Until the caller's time is over. */
  retryAfterSeconds: number;
  /** How many different things they have had. */
  taken: number;
  /** In this time of theirs nothing had been refused before. */
  isFirst: boolean;
}

/** How many different things each caller may take in a time, which begins with the first of them; counted in this process alone. What they have had they may have again. */
export class DistinctLimit {
  readonly #most: number;
  readonly #windowMs: number;
  readonly #windows = new LRUCache<string, Window>({ max: maxCallers });

  /** @param most 0: no limit */
  constructor(most: number, windowMs: number) {
    this.#most = most;
    this.#windowMs = windowMs;
  }

  /** Null when it is given; what comes as one is given whole to whoever has not reached the limit yet. */
  take(caller: string, things: readonly (number | string)[], now: Date): Refusal | null {
    if (this.#most === 0) return null;
    const at = now.getTime();
    let window = this.#windows.get(caller);
    if (!window || window.end <= at) {
      window = { end: at + this.#windowMs, things: new Set(), refused: false };
      this.#windows.set(caller, window);
    }
    const { things: taken, end } = window;
    if (taken.size >= this.#most && things.some((thing) => !taken.has(thing))) {
      const isFirst = !window.refused;
      window.refused = true;
      return { retryAfterSeconds: (end - at) / 1000, taken: taken.size, isFirst };
    }
    for (const thing of things) taken.add(thing);
    return null;
  }
}
