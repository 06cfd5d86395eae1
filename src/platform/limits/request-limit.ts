import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { tooManyRequests } from '../errors.ts';

export interface RequestLimit {
  /** @throws AppError 429 with Retry-After */
  consume(key: string, points?: number): Promise<void>;
}

/** Points per minute, counted in this process alone: it bounds what one process may be made to do, and needs no database. */
export function requestLimit(points: number): RequestLimit {
  const limiter = new RateLimiterMemory({ points, duration: 60 });
  return {
    async consume(key, cost = 1) {
      try {
        await limiter.consume(key, cost);
      } catch (refusal) {
        if (refusal instanceof RateLimiterRes) throw tooManyRequests(refusal.msBeforeNext / 1000);
        throw refusal;
      }
    },
  };
}
