/** Maximum number of samples in memory: those of some minutes. */
const maxSamples = 600;

/**
 * Records the primary's log position over time. A replica that has replayed a position has every commit before that sample. Its delay is
 * therefore measured by this process's clock alone, and is right even when nothing is written for hours (the time of the last replayed
 * commit would then be hours old).
 */
export class WrittenSoFar {
  #samples: { at: number; bytes: number }[] = [];

  /** @param at time before the primary was queried, in ms  @param bytes the primary's log position */
  add(at: number, bytes: number): void {
    const last = this.#samples.at(-1);
    // Another server has become the primary, with a lower position.
    if (last && bytes < last.bytes) this.#samples = [];
    // Nothing was written since the last sample, so the later time is valid for it.
    else if (last && bytes === last.bytes) this.#samples.pop();
    this.#samples.push({ at, bytes });
    if (this.#samples.length > maxSamples) this.#samples.shift();
  }

  /** Returns the latest time, in ms, before which a replica at this position has every commit; null if unknown. */
  knownUntil(replayed: number): number | null {
    return this.#samples.findLast(({ bytes }) => bytes <= replayed)?.at ?? null;
  }

  /** Returns whether a replica, queried before the latest sample, is ahead of the primary: it belongs to another history. */
  isBeyond(replayed: number): boolean {
    const last = this.#samples.at(-1);
    return last !== undefined && replayed > last.bytes;
  }
}
