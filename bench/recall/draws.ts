import type { Random } from '../../test/support/random.ts';

/** Returns a draw of the standard normal distribution (Box-Muller). */
export const normal = (random: Random): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/** Returns a factor whose logarithm is normal with this standard deviation; its median is 1. */
export const factor = (random: Random, deviation: number): number => Math.exp(deviation * normal(random));

/**
 * Returns a number from 0 to less than 1 that depends on the arguments alone. All policies get the same luck for the same presentation of
 * a question, so that their differences have less noise.
 */
export function luck(seed: number, question: number, presentation: number, use: number): number {
  let hash = (seed ^ Math.imul(question + 1, 0x9e3779b1) ^ Math.imul(presentation + 1, 0x85ebca6b) ^ Math.imul(use + 1, 0xc2b2ae35)) | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x7feb352d);
  hash = Math.imul(hash ^ (hash >>> 15), 0x846ca68b);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}
