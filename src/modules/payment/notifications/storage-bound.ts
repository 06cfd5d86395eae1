import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

/** How much is stored of what carries no signature, in points of an hour: notifications, or kilobytes of them. */
export const storageBounds = () => ({
  /** Of what names no payment of ours, by network. */
  unknown: storageBound(300),
  /** The same of all networks together: whoever rents a server has 65,536 networks of IPv6. */
  allUnknown: storageBound(3_000),
  /** Of what names one, by the names that it was found by; providers send a handful. */
  known: storageBound(60),
});
export type StorageBounds = ReturnType<typeof storageBounds>;

/** A kilobyte of body costs as much as a small notification. */
const bytesPerPoint = 1024;

/** How many notifications without a signature are stored of one key, a network or a payment, by this process. Signed ones are never counted. */
function storageBound(pointsPerHour: number) {
  const limiter = new RateLimiterMemory({ points: pointsPerHour, duration: 3600 });
  return {
    /** Its points are used up: nothing more is stored. */
    async isReached(key: string): Promise<boolean> {
      const used = await limiter.get(key);
      return used !== null && used.remainingPoints <= 0;
    },
    /** Counts one that was stored. Resolves to true for the one that uses the points up: to be told once. */
    async count(key: string, bytes: number): Promise<boolean> {
      const cost = 1 + Math.floor(bytes / bytesPerPoint);
      const used = await limiter.consume(key, cost).catch((refusal: unknown) => {
        if (refusal instanceof RateLimiterRes) return refusal;
        throw refusal;
      });
      return used.remainingPoints <= 0 && used.consumedPoints - cost < pointsPerHour;
    },
  };
}
