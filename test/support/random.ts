/** Numbers from 0 to less than 1. */
export type Random = () => number;

/** Returns the seed of this run: SEED, or another one each time. Tests print it. */
export const seedOfRun = (): number => Number(process.env.SEED || Math.floor(Math.random() * 2 ** 30));

/** Returns a Mulberry32 generator: the same seed gives the same numbers. */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
