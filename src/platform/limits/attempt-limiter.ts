import { createHash } from 'node:crypto';
import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { readJsonRows } from '../database/rows.ts';
import { tooManyRequests } from '../errors.ts';
import { countRefusal } from './refusals.ts';

interface LimiterOptions {
  name: string;
  points: number;
  windowSeconds: number;
}

// Keys are hashed: a key may be longer than the column, and an e-mail address need not be stored in one more table.
const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
const stored = (key: string, from?: string): string => (from === undefined ? hash(key) : `${hash(key)}.${hash(from)}`);

/**
 * Returns a limiter that counts attempts in PostgreSQL, for all processes of the site together: per key, or per key and origin (`from`).
 */
export async function createAttemptLimiter(orm: MikroORM, { name, points, windowSeconds }: LimiterOptions) {
  const limiter = new RateLimiterPostgres({
    storeClient: await orm.em.getConnection().getNativeClient(),
    tableName: 'attempt_limit',
    tableCreated: true,
    // Strangers choose the keys, so rows must be removed: every five minutes those that expired more than an hour ago.
    clearExpiredByTimeout: true,
    keyPrefix: name,
    points,
    duration: windowSeconds,
  });
  return {
    /**
     * Counts one attempt.
     * @param words returns the refusal's message from the waiting time
     * @throws AppError 429 with Retry-After once `points` are used up
     */
    async consume(key: string, from?: string, words?: (wait: string) => string): Promise<void> {
      try {
        await limiter.consume(stored(key, from));
      } catch (refusal) {
        if (refusal instanceof RateLimiterRes) countRefusal(name);
        if (refusal instanceof RateLimiterRes) throw tooManyRequests(refusal.msBeforeNext / 1000, words);
        throw refusal;
      }
    },
    /** Subtracts one attempt from the count, because that attempt was not a failure. */
    async giveBack(key: string, from?: string): Promise<void> {
      await limiter.reward(stored(key, from));
    },
  };
}

export type AttemptLimiter = Awaited<ReturnType<typeof createAttemptLimiter>>;

const nowMs = 'extract(epoch from now()) * 1000';

const keysOf = (names: readonly string[], key: string): string[] => {
  const wholes = names.map((name) => `${name}:${stored(key)}`);
  return wholes.flatMap((whole) => [whole, `${whole}.%`]);
};

/**
 * Deletes all attempts that limiters of these names have counted for a key, from every origin: the person has proved who they are in
 * another way.
 * @returns the number of origins from which unexpired attempts had been counted
 */
export async function forgetAttempts(em: EntityManager, names: readonly string[], key: string): Promise<number> {
  const patterns = keysOf(names, key);
  const removed = await em.execute<{ counted: boolean }[]>(
    `delete from attempt_limit where ${patterns.map(() => 'key like ?').join(' or ')} returning points > 0 and expire > ${nowMs} as counted`,
    patterns,
  );
  return removed.filter(({ counted }) => counted).length;
}

/** Returns the attempts that limiters of these names have counted for a key: limiter, points and time of expiry. */
export function countedAttempts(em: EntityManager, names: readonly string[], key: string): Promise<object[]> {
  const patterns = keysOf(names, key);
  return readJsonRows(
    em,
    `select split_part(key, ':', 1) as name, points, to_timestamp(expire / 1000.0) as until from attempt_limit
     where ${patterns.map(() => 'key like ?').join(' or ')} order by name, key`,
    patterns,
  );
}
