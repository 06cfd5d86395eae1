import fc from 'fast-check';

/** The only source of random values. fast-check generates all of them, so that a seed reproduces a run. */
export interface Dice {
  /** Returns an integer from 0 to `count` - 1. */
  below(count: number): number;
  one<Value>(of: readonly Value[]): Value;
  /** @param percent from 0 to 100 */
  chance(percent: number): boolean;
  from<Value>(arbitrary: () => fc.Arbitrary<Value>): Value;
}

/** Returns a uniform distribution; fast-check's default prefers small numbers. */
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
