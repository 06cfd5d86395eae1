import type { Refusal } from './count-questions.ts';
import { openCounts } from './counts.ts';
import { countRefusal } from './refusals.ts';

/**
 * How many different things each caller may take in a time, which begins with the first of them; counted by this machine alone. What they have had they may have
 * again.
 */
export class DistinctLimit {
  readonly #name: string;
  readonly #most: number;
  readonly #windowMs: number;
  readonly #counts = openCounts();

  /** @param most 0: no limit */
  constructor(name: string, most: number, windowMs: number) {
    this.#name = name;
    this.#most = most;
    this.#windowMs = windowMs;
  }

  /** Null when it is given; what comes as one is given whole to whoever has not reached the limit yet. */
  async take(caller: string, things: readonly (number | string)[], now: Date): Promise<Refusal | null> {
    if (this.#most === 0) return null;
    const limit = { name: this.#name, most: this.#most, windowMs: this.#windowMs };
    const refusal = await this.#counts.distinct({ ...limit, caller, things, at: now.getTime() });
    if (refusal) countRefusal(this.#name);
    return refusal;
  }
}
