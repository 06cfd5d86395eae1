import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../platform/database/named-statement.ts';
import type { AlertKind } from '../../../platform/observability/alert-kinds.ts';
import type { UseCaseContext } from '../../../platform/use-cases/events.ts';

/**
 * Limit of the counts in logs, metrics and `prepa doctor`. Exact counts would take longer the more rows there are, so the limit + 1
 * means 'more'.
 */
const maxCounted = 1_000;

/** Returns SQL that counts rows; `max` + 1 means 'more'. */
const counted = (rows: string, max: number): string => `(select count(*)::int from (select ${rows} limit ${max + 1}) bounded)`;

/**
 * The alerts for operators, counted by the database: the same for logs, metrics (these texts are their descriptions) and `prepa
 * doctor`. 1,001 means more than 1,000.
 */
export const healthCounts = {
  oldPending: 'Payments without an outcome for longer than 30 minutes',
  oldestPendingSeconds: 'Age of the oldest payment without an outcome, in seconds',
  /** Amount mismatches, payments without outcome after 72 h, or with a deleted prepa. */
  inReview: 'Payments that wait for a person',
  partlyRefunded: 'Payments given back in part that nobody has looked at yet',
  /** Overdue checks mean that no reconciliation is running. */
  overdue: 'Payments due for longer than 10 minutes',
  unknownNotifications: 'Notifications of the last 7 days whose payment is not known',
};
export type PaymentHealth = Record<keyof typeof healthCounts, number>;

const minute = 60_000;
/** Age after which an open payment is an alert, in ms. Learners approve within minutes. */
export const oldPendingAfter = 30 * minute;
export const overdueAfter = 10 * minute;
const notificationsOf = 7 * 24 * 60 * minute;

/**
 * Each ends with the order of its index. Otherwise PostgreSQL may read an entire table or another index when it underestimates the
 * rows to read.
 */
const counts: Record<Exclude<keyof PaymentHealth, 'oldestPendingSeconds'>, string> = {
  oldPending: "from payment where status in ('created', 'pending') and created_at < $2 order by created_at",
  inReview: "from payment where status = 'review' order by created_at",
  partlyRefunded: 'from payment where needs_look order by id',
  overdue: 'from payment where next_check_at < $3 order by next_check_at',
  unknownNotifications:
    "from payment_notification where processed_at is null and candidates <> '[]' and received_at > $4 and payment_id is null order by received_at",
};

/** SQL of the counts, in one row, and the values of its `$1` to `$4`. A page may combine it with its own statement. */
export const paymentHealthQuery = {
  /** @param max limit of each count; `max` + 1 means 'more' */
  text: (max: number): string => `
    select ${counted(counts.oldPending, max)} as old_pending,
           coalesce(extract(epoch from $1::timestamptz - least((select min(created_at) from payment where status = 'created'),
                                                              (select min(created_at) from payment where status = 'pending'))), 0)::int as oldest_pending_seconds,
           ${counted(counts.inReview, max)} as in_review,
           ${counted(counts.partlyRefunded, max)} as partly_refunded,
           ${counted(counts.overdue, max)} as overdue,
           ${counted(counts.unknownNotifications, max)} as unknown_notifications`,
  values(now: Date): Date[] {
    const before = (ms: number) => new Date(now.getTime() - ms);
    return [now, before(oldPendingAfter), before(overdueAfter), before(notificationsOf)];
  },
};

const health = namedStatement<PaymentHealth>({ name: 'payment.health', text: paymentHealthQuery.text(maxCounted) });

/** Returns SQL of the number of payments that wait for an administrator. @param max limit of each of its two counts */
export const paymentsThatWait = (max: number): string => `select ${counted(counts.inReview, max)} + ${counted(counts.partlyRefunded, max)}`;

/** Returns the counts, in one statement. @param now time of the context's clock */
export async function paymentHealth(em: EntityManager, now: Date): Promise<PaymentHealth> {
  const [row] = await health(em, paymentHealthQuery.values(now));
  if (!row) throw new Error('an aggregate always answers one row');
  return row;
}

/** The counts that are an alert when they are not 0, with the alert's name in the log. */
const alerts = {
  oldPending: 'old-pending',
  inReview: 'review',
  partlyRefunded: 'partial-refund',
  overdue: 'overdue',
  unknownNotifications: 'unknown-notifications',
} as const satisfies Partial<Record<keyof PaymentHealth, AlertKind>>;

/** Logs each alert when its count changes, not at every check. */
export function createAlerts() {
  const told = new Map<string, number>();
  return {
    async look(em: EntityManager, { clock, log }: UseCaseContext): Promise<PaymentHealth> {
      const found = await paymentHealth(em, clock.now());
      for (const [name, alert] of Object.entries(alerts) as [keyof typeof alerts, AlertKind][]) {
        const count = found[name];
        if (count === (told.get(name) ?? 0)) continue;
        told.set(name, count);
        if (count > 0) log.warn({ alert, count, oldestPendingSeconds: found.oldestPendingSeconds }, 'payments need attention');
        else log.info({ alert, count }, 'payments need no attention any more');
      }
      return found;
    },
  };
}
