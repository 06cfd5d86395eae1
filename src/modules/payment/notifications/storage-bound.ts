import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

/** How many notifications without a signature are stored of one key, a network or a payment: points in this process. Signed ones are never counted. */
interface StorageBound {
  /** Its points are used up: nothing more is stored. */
  isReached(key: string): Promise<boolean>;
  /** Counts one that was stored. Resolves to true for the one that uses the points up: to be told once. */
  count(key: string, bytes: number): Promise<boolean>;
}

/** How much is stored of what carries no signature. */
export interface StorageBounds {
  /** Of what names no payment of ours, by network. */
  unknown: StorageBound;
  /** The same of all networks together: whoever rents a server has 65,536 networks of IPv6. */
  allUnknown: StorageBound;
  /** Of what names one, by the names that it was found by; providers send a handful. */
  known: StorageBound;
}

/** Points of an hour: notifications, or kilobytes of them. */
export const storageBounds = (): StorageBounds => ({
  unknown: storageBound(300),
  allUnknown: storageBound(3_000),
  known: storageBound(60),
});

/** A kilobyte of body costs as much as a small notification. */
const bytesPerPoint = 1024;

function storageBound(pointsPerHour: number): StorageBound {
  const limiter = new RateLimiterMemory({ points: pointsPerHour, duration: 3600 });
  return {
    async isReached(key) {
      const used = await limiter.get(key);
      return used !== null && used.remainingPoints <= 0;
    },
    async count(key, bytes) {
      const cost = 1 + Math.floor(bytes / bytesPerPoint);
      const used = await limiter.consume(key, cost).catch((refusal: unknown) => {
        if (refusal instanceof RateLimiterRes) return refusal;
        throw refusal;
      });
      return used.remainingPoints <= 0 && used.consumedPoints - cost < pointsPerHour;
    },
  };
}
