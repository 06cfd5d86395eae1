import { openCounts } from '../../../platform/limits/counts.ts';

/** Limits of stored unsigned notifications, in points per hour: notifications, or kilobytes of them. */
export const storageBounds = () => ({
  /** Limit per network, for notifications of unknown payments. */
  unknown: storageBound('unknown', 300),
  /** Limit over all networks, for notifications of unknown payments: an attacker with one server has 65,536 IPv6 networks. */
  allUnknown: storageBound('all-unknown', 3_000),
  /** Limit per reference or provider id, for notifications of known payments. Providers send a handful of notifications per payment. */
  known: storageBound('known', 60),
});
export type StorageBounds = ReturnType<typeof storageBounds>;

const bytesPerPoint = 1024;

/** Limits the unsigned notifications stored per key (a network or a payment) on this machine. Signed ones are never counted. */
function storageBound(name: string, points: number) {
  const counts = openCounts();
  const limit = { name: `payment.stored-${name}`, points, seconds: 3600 };
  return {
    /** Returns whether the points are used up: no more notifications are stored. */
    async isReached(key: string): Promise<boolean> {
      return (await counts.points({ ...limit, key, cost: 0 })).remaining <= 0;
    },
    /** Counts a stored notification. Resolves to true when it uses up the points, so that this is logged once. */
    async count(key: string, bytes: number): Promise<boolean> {
      const cost = 1 + Math.floor(bytes / bytesPerPoint);
      const { remaining, consumed } = await counts.points({ ...limit, key, cost });
      return remaining <= 0 && consumed - cost < points;
    },
  };
}
