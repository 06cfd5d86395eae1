/** Samples that are kept, at most: minutes of them. */
const maxSamples = 600;

/**
 * How much the primary had written to its log at which moments. A replica that has replayed as much has everything that was committed by then: how late it is is told
 * by this clock alone, also while nothing is written for hours (the time of the last replayed commit would say hours then).
 */
export class WrittenSoFar {
  #samples: { at: number; bytes: number }[] = [];

  /** @param at a moment before the primary was asked, in ms  @param bytes of its log from the beginning on */
  add(at: number, bytes: number): void {
    const last = this.#samples.at(-1);
    // Another server has become the primary, and goes on from less.
    if (last && bytes < last.bytes) this.#samples = [];
    // Nothing was written in between.
    else if (last && bytes === last.bytes) this.#samples.pop();
    this.#samples.push({ at, bytes });
    if (this.#samples.length > maxSamples) this.#samples.shift();
  }

  /** The latest moment of which a replica has everything that was committed before; null when nobody knows one. */
  knownUntil(replayed: number): number | null {
    return this.#samples.findLast(({ bytes }) => bytes <= replayed)?.at ?? null;
  }

  /** Whether a replica that was asked before the latest sample has what the primary never wrote: that of another history. */
  isBeyond(replayed: number): boolean {
    const last = this.#samples.at(-1);
    return last !== undefined && replayed > last.bytes;
  }
}
