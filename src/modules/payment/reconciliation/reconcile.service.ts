import type { EntityManager } from '@mikro-orm/postgresql';
import { requireRightClock } from '../../../platform/use-cases/clock-check.ts';
import type { UseCaseContext } from '../../../platform/use-cases/events.ts';
import { linkWaitingNotifications, markNotificationsProcessed } from '../notifications/notification.repository.ts';
import type { PaymentProviders } from '../providers/provider.registry.ts';
import { type Settlement, settlePayment } from '../settlement/settle.service.ts';
import { claimOpenPayments } from './claim.repository.ts';
import { recordPass } from './pass.repository.ts';

/** Questions under way at once. */
const concurrency = 4;
/** Payments claimed at a time: as many as a crash delays. */
const batchSize = 20;
const maxNotifications = 500;

interface ReconcileOptions {
  /** Payments checked in this run, at most. */
  limit?: number;
  /** When the schedule is looked at; the clock's now by default. */
  now?: Date;
  /** Every payment that the schedule still follows, due or not: for the operator. */
  all?: boolean;
  /** Those of the last 10 minutes too, due or not: their learners are waiting, and their process may have died. For the operator. */
  fresh?: boolean;
  /** Ends the run between two payments. */
  signal?: AbortSignal;
  /** Called after each payment. */
  onProgress?: (counts: ReconcileCounts) => void;
}

/** Unanswered: the provider gave no answer, or settling failed, and is asked again later. */
const none = { checked: 0, succeeded: 0, failed: 0, pending: 0, refunded: 0, review: 0, unanswered: 0 };
export type ReconcileCounts = typeof none;

/**
 * Asks the providers about payments (payment-providers §6, rule 7) and follows the notifications that came before their payment was
 * known. Safe to run several times at once: rows are claimed, and what a crashed run has claimed is only delayed. However much is overdue, each
 * batch begins with the payments begun last and keeps a quarter for those that have been due for longest (`claimOpenPayments`), and notifications
 * take at most half of a run. A run that comes to its end is written down, for `prepa doctor`.
 * @throws WrongClockError
 */
export async function reconcilePayments(
  em: EntityManager,
  context: UseCaseContext,
  providers: PaymentProviders,
  { limit = 500, now = context.clock.now(), all = false, fresh = false, signal, onProgress }: ReconcileOptions = {},
): Promise<ReconcileCounts> {
  // Before a claim: it sets when to ask next.
  await requireRightClock(em);
  const counts = { ...none };
  /** By payment: whether the provider answered. */
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
    // What is due is asked about all the same.
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

/** Providers that fail or have asked us to wait: a run goes on with the others. */
const leftAlone = (providers: PaymentProviders, now: Date): string[] =>
  providers
    .health()
    .filter(({ breaker, waitsUntil }) => breaker === 'open' || (waitsUntil !== null && waitsUntil > now))
    .map(({ slug }) => slug);

/** Each payment counts once beside `checked`. */
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
