import fc from 'fast-check';

/** The one source of chance: fast-check draws, so that a seed repeats all of it. */
export interface Dice {
  /** From 0 to below `count`. */
  below(count: number): number;
  one<Value>(of: readonly Value[]): Value;
  /** @param percent from 0 to 100 */
  chance(percent: number): boolean;
  from<Value>(arbitrary: () => fc.Arbitrary<Value>): Value;
}

/** Evenly: fast-check would rather have small numbers, and the first of a list is no better than its last. */
const upTo = (max: number): fc.Arbitrary<number> => fc.noBias(fc.nat({ max }));

export function diceOf(draw: fc.GeneratorValue): Dice {
  const below = (count: number) => draw(upTo, Math.max(0, count - 1));
  return {
    below,
    one<Value>(of: readonly Value[]): Value {
      return of[below(of.length)] as Value;
    },
    chance: (percent) => below(100) < percent,
    from: (arbitrary) => draw(arbitrary),
  };
}
