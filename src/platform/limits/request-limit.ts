import { tooManyRequests } from '../errors.ts';
import { openCounts } from './counts.ts';
import { countRefusal } from './refusals.ts';

/**
 * Returns a limiter of points per minute, counted by this machine alone. It bounds the load on one machine and needs no database.
 * @param name unique among all limits
 */
export function requestLimit(name: string, points: number) {
  const counts = openCounts();
  return {
    /** @throws AppError 429 with Retry-After */
    async consume(key: string, cost = 1): Promise<void> {
      const { refused, msBeforeNext } = await counts.points({ name, points, seconds: 60, key, cost });
      if (!refused) return;
      countRefusal(name);
      throw tooManyRequests(msBeforeNext / 1000);
    },
  };
}

export type RequestLimit = ReturnType<typeof requestLimit>;
