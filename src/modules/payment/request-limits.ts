import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { tooManyRequests } from '../../platform/errors.ts';

/** Points per minute. Generous: carriers put thousands of learners, and a provider all its notifications, behind one address. */
export const pointsPerMinute = { notifications: 6_000, returns: 600, learner: 300 } as const;

export interface RequestLimit {
  /** @throws AppError 429 with Retry-After */
  consume(key: string, points?: number): Promise<void>;
}

/** Counts in this process alone: it bounds what one process may be made to do, and needs no database before a notification is stored. */
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
