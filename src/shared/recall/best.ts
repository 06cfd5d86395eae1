/** Something with a value that is costly to compute, and a bound that is not. */
export interface Bounded {
  /** At least `rate()`. */
  most: number;
  /** The exact value; NaN to leave the item out. */
  rate(): number;
  take(): void;
}

/**
 * Takes the items by falling rate until enough are taken; items with equal rates in the given order. An exact rate is computed only when
 * the bounds do not decide.
 */
export function takeBest(items: readonly Bounded[], isEnough: () => boolean): void {
  const byBound = items.toSorted((one, other) => (one.most === other.most ? 0 : other.most - one.most));
  /** Exact rates, the best last; of equal ones the earliest last. */
  const known: { rate: number; order: number; take: () => void }[] = [];
  let next = 0;
  while (!isEnough()) {
    const bound = byBound[next]?.most ?? Number.NEGATIVE_INFINITY;
    const best = known.at(-1);
    if (best && (next === byBound.length || best.rate >= bound)) {
      known.pop();
      best.take();
    } else if (next < byBound.length) {
      const item = byBound[next] as Bounded;
      next += 1;
      const rate = item.rate();
      if (Number.isNaN(rate)) continue;
      const entry = { rate, order: next, take: () => item.take() };
      known.splice(placeOf(known, rate), 0, entry);
    } else return;
  }
}

/** Returns where a rate belongs in rising order, before equal ones. */
function placeOf(known: readonly { rate: number }[], rate: number): number {
  let [low, high] = [0, known.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((known[middle] as { rate: number }).rate < rate) low = middle + 1;
    else high = middle;
  }
  return low;
}
