import type { EntityManager } from '@mikro-orm/postgresql';
import { requireRightClock } from '../../../platform/use-cases/clock-check.ts';
import type { UseCaseContext } from '../../../platform/use-cases/events.ts';
import { linkWaitingNotifications, markNotificationsProcessed } from '../notifications/notification.repository.ts';
import type { PaymentProviders } from '../providers/provider.registry.ts';
import { type Settlement, settlePayment } from '../settlement/settle.service.ts';
import { claimOpenPayments } from './claim.repository.ts';
import { recordPass } from './pass.repository.ts';

/** Checks that run at once. */
const concurrency = 4;
/** Payments claimed at a time: a crash delays at most this many. */
const batchSize = 20;
const maxNotifications = 500;

interface ReconcileOptions {
  /** Maximum number of payments checked in this run. */
  limit?: number;
  /** Time for which the schedule is evaluated; by default the clock's now. */
  now?: Date;
  /** Checks every payment that the schedule still follows, due or not. Used by operators. */
  all?: boolean;
  /**
   * For operators: also checks payments of the last 10 minutes, due or not. Their learners are waiting, and their process may have
   * crashed.
   */
  fresh?: boolean;
  /** Ends the run between two payments. */
  signal?: AbortSignal;
  /** Called after each payment. */
  onProgress?: (counts: ReconcileCounts) => void;
}

/** Counts of a run. `unanswered`: the provider gave no answer, or settling failed; the payment is checked again later. */
const none = { checked: 0, succeeded: 0, failed: 0, pending: 0, refunded: 0, review: 0, unanswered: 0 };
export type ReconcileCounts = typeof none;

/**
 * Asks the providers about due payments (payment-providers §6, rule 7), and processes notifications that arrived before their payment
 * was known.
 * Several runs may work at once: rows are claimed, and a crashed run's claims are only delayed. Each batch starts with the newest
 * payments and keeps a quarter for those that have been due longest (`claimOpenPayments`). Notifications take at most half of a run.
 * A completed run is recorded, for `prepa doctor`.
 * @throws WrongClockError
 */
export async function reconcilePayments(
  em: EntityManager,
  context: UseCaseContext,
  providers: PaymentProviders,
  { limit = 500, now = context.clock.now(), all = false, fresh = false, signal, onProgress }: ReconcileOptions = {},
): Promise<ReconcileCounts> {
  // Checked before any claim, since a claim sets the time of the next check.
  await requireRightClock(em);
  const counts = { ...none };
  /** Whether the provider answered, by payment. */
  const seen = new Map<number, boolean>();

  async function check(id: number): Promise<void> {
    if (signal?.aborted) return;
    const settlement = await settlePayment(em, context, providers, id, 'reconciliation').catch((error: unknown) => {
      context.log.error({ err: error, paymentId: id }, 'payment could not be settled');
      return null;
    });
    seen.set(id, settlement !== null && settlement.answer !== 'unknown');
    count(counts, settlement);
    onProgress?.({ ...counts });
  }

  const waiting = await linkWaitingNotifications(em, now, maxNotifications).catch((error: unknown) => {
    // Due payments are still checked.
    context.log.error({ alert: 'reconciliation', err: error }, 'notifications could not be tied to their payments');
    return [];
  });
  const notified = [...new Set(waiting.map((notification) => notification.paymentId))].slice(0, Math.ceil(limit / 2));
  await inParallel(notified, check);

  while (seen.size < limit && !signal?.aborted) {
    const size = Math.min(batchSize, limit - seen.size);
    const claimed = await claimOpenPayments(em, {
      now,
      all,
      fresh,
      limit: size,
      except: [...seen.keys()],
      exceptProviders: leftAlone(providers, context.clock.now()),
    });
    if (claimed.length === 0) break;
    await inParallel(claimed, check);
  }
  const followed = waiting.filter((notification) => seen.get(notification.paymentId));
  await markNotificationsProcessed(
    em,
    followed.map(({ id }) => id),
    context.clock.now(),
  );
  if (!signal?.aborted) await recordPass(em, context.clock.now());
  return counts;
}

/** Returns the providers that fail or requested a pause. A run continues with the others. */
const leftAlone = (providers: PaymentProviders, now: Date): string[] =>
  providers
    .health()
    .filter(({ breaker, waitsUntil }) => breaker === 'open' || (waitsUntil !== null && waitsUntil > now))
    .map(({ slug }) => slug);

/** Counts a payment in `checked`, and in one other field. */
function count(counts: ReconcileCounts, settlement: Settlement | null): void {
  counts.checked += 1;
  if (settlement === null || settlement.answer === 'unknown') counts.unanswered += 1;
  else if (settlement.payment.status === 'review') counts.review += 1;
  else if (settlement.payment.status === 'refunded') counts.refunded += 1;
  else if (settlement.status === 'success') counts.succeeded += 1;
  else counts[settlement.status] += 1;
}

async function inParallel<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const queue = items.values();
  const worker = async () => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, worker));
}
