import { openCounts } from '../../../platform/limits/counts.ts';

/** How much is stored of what carries no signature, in points of an hour: notifications, or kilobytes of them. */
export const storageBounds = () => ({
  /** Of what names no payment of ours, by network. */
  unknown: storageBound('unknown', 300),
  /** The same of all networks together: whoever rents a server has 65,536 networks of IPv6. */
  allUnknown: storageBound('all-unknown', 3_000),
  /** Of what names one, by the names that it was found by; providers send a handful. */
  known: storageBound('known', 60),
});
export type StorageBounds = ReturnType<typeof storageBounds>;

/** A kilobyte of body costs as much as a small notification. */
const bytesPerPoint = 1024;

/** How many notifications without a signature are stored of one key, a network or a payment, by this machine. Signed ones are never counted. */
function storageBound(name: string, points: number) {
  const counts = openCounts();
  const limit = { name: `payment.stored-${name}`, points, seconds: 3600 };
  return {
    /** Its points are used up: nothing more is stored. */
    async isReached(key: string): Promise<boolean> {
      return (await counts.points({ ...limit, key, cost: 0 })).remaining <= 0;
    },
    /** Counts one that was stored. Resolves to true for the one that uses the points up: to be told once. */
    async count(key: string, bytes: number): Promise<boolean> {
      const cost = 1 + Math.floor(bytes / bytesPerPoint);
      const { remaining, consumed } = await counts.points({ ...limit, key, cost });
      return remaining <= 0 && consumed - cost < points;
    },
  };
}
