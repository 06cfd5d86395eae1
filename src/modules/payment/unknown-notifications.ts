import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { networkOf } from '../../platform/network.ts';

/** How much of what names no payment of ours one address may have stored: points in this process. Known and signed ones are never counted. */
export interface UnknownBound {
  /** Its points are used up: only what is known or signed is stored. */
  isReached(address: string): Promise<boolean>;
  /** Counts one that was stored. Resolves to true for the one that uses the points up: to be told once. */
  count(address: string, bytes: number): Promise<boolean>;
}

/** A kilobyte of body costs as much as a small notification. */
const bytesPerPoint = 1024;

export function unknownBound(pointsPerHour: number): UnknownBound {
  const limiter = new RateLimiterMemory({ points: pointsPerHour, duration: 3600 });
  return {
    async isReached(address) {
      const used = await limiter.get(networkOf(address));
      return used !== null && used.remainingPoints <= 0;
    },
    async count(address, bytes) {
      const cost = 1 + Math.floor(bytes / bytesPerPoint);
      const used = await limiter.consume(networkOf(address), cost).catch((refusal: unknown) => {
        if (refusal instanceof RateLimiterRes) return refusal;
        throw refusal;
      });
      return used.remainingPoints <= 0 && used.consumedPoints - cost < pointsPerHour;
    },
  };
}
