import type { Refusal } from './count-questions.ts';
import { openCounts } from './counts.ts';
import { countRefusal } from './refusals.ts';

/**
 * Limits how many different things each caller may take in a time window that begins with the first one. Counted by this machine alone.
 * Things already taken may be taken again.
 */
export class DistinctLimit {
  readonly #name: string;
  readonly #most: number;
  readonly #windowMs: number;
  readonly #counts = openCounts();

  /** @param most 0 means no limit */
  constructor(name: string, most: number, windowMs: number) {
    this.#name = name;
    this.#most = most;
    this.#windowMs = windowMs;
  }

  /** Resolves to null if accepted. A caller below the limit gets all `things` of one call, even if they pass the limit. */
  async take(caller: string, things: readonly (number | string)[], now: Date): Promise<Refusal | null> {
    if (this.#most === 0) return null;
    const limit = { name: this.#name, most: this.#most, windowMs: this.#windowMs };
    const refusal = await this.#counts.distinct({ ...limit, caller, things, at: now.getTime() });
    if (refusal) countRefusal(this.#name);
    return refusal;
  }
}
