import { createHash } from 'node:crypto';
import type { MikroORM } from '@mikro-orm/postgresql';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { tooManyRequests } from './errors.ts';

/** Counts attempts in PostgreSQL, so that every process of the site counts together. */
export interface AttemptLimiter {
  /** Counts one attempt. @throws AppError 429 with Retry-After once `points` are used up. */
  consume(key: string): Promise<void>;
  /** Takes one attempt back: it was not a failure. */
  giveBack(key: string): Promise<void>;
  /** Takes all of them back: whoever this is has shown it in another way. */
  forgive(key: string): Promise<void>;
}

interface LimiterOptions {
  name: string;
  points: number;
  windowSeconds: number;
}

export async function createAttemptLimiter(orm: MikroORM, { name, points, windowSeconds }: LimiterOptions): Promise<AttemptLimiter> {
  const limiter = new RateLimiterPostgres({
    storeClient: await orm.em.getConnection().getNativeClient(),
    tableName: 'attempt_limit',
    tableCreated: true,
    clearExpiredByTimeout: false,
    keyPrefix: name,
    points,
    duration: windowSeconds,
  });
  // Hashed: what is counted may be longer than the column, and an e-mail need not stand in one more table.
  const counted = (key: string) => createHash('sha256').update(key).digest('base64url');
  return {
    async consume(key) {
      try {
        await limiter.consume(counted(key));
      } catch (refusal) {
        if (refusal instanceof RateLimiterRes) throw tooManyRequests(refusal.msBeforeNext / 1000);
        throw refusal;
      }
    },
    async giveBack(key) {
      await limiter.reward(counted(key));
    },
    async forgive(key) {
      await limiter.delete(counted(key));
    },
  };
}
