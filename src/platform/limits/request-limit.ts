import { tooManyRequests } from '../errors.ts';
import { openCounts } from './counts.ts';
import { countRefusal } from './refusals.ts';

/**
 * Points per minute, counted by this machine alone: it bounds what one machine may be made to do, and needs no database.
 * @param name one that no other limit has
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
