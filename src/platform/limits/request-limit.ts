import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { tooManyRequests } from '../errors.ts';

/** Points per minute, counted in this process alone: it bounds what one process may be made to do, and needs no database. */
export function requestLimit(points: number) {
  const limiter = new RateLimiterMemory({ points, duration: 60 });
  return {
    /** @throws AppError 429 with Retry-After */
    async consume(key: string, cost = 1): Promise<void> {
      try {
        await limiter.consume(key, cost);
      } catch (refusal) {
        if (refusal instanceof RateLimiterRes) throw tooManyRequests(refusal.msBeforeNext / 1000);
        throw refusal;
      }
    },
  };
}

export type RequestLimit = ReturnType<typeof requestLimit>;
