import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../platform/named-statement.ts';

const insert = namedStatement<{ id: number }>({
  name: 'payment.notification-insert',
  text: `insert into payment_notification (provider, reference, payment_id, content_type, body, received_at)
         values ($1, $2, $3, $4, $5, $6) returning id`,
});

interface StoredNotification {
  provider: string;
  reference: string | null;
  paymentId: number | null;
  contentType: string;
  body: Buffer;
  receivedAt: Date;
}

export async function insertNotification(em: EntityManager, notification: StoredNotification): Promise<number> {
  const { provider, reference, paymentId, contentType, body, receivedAt } = notification;
  const [row] = await insert(em, [provider, reference, paymentId, contentType, body, receivedAt]);
  if (!row) throw new Error('the notification was not stored');
  return row.id;
}

const markProcessed = namedStatement({
  name: 'payment.notification-processed',
  text: `update payment_notification set processed_at = $2 where id = any($1::int[]) and processed_at is null`,
});

export async function markNotificationsProcessed(em: EntityManager, ids: number[], at: Date): Promise<void> {
  if (ids.length > 0) await markProcessed(em, [ids, at]);
}

const linkKnown = namedStatement<{ id: number; payment_id: number }>({
  name: 'payment.notification-link',
  text: `with waiting as (
           select n.id, p.id as payment_id
           from payment_notification n join payment p on p.provider = n.provider and p.reference = n.reference
           where n.processed_at is null and n.received_at <= $1
           order by n.id limit $2 for update of n skip locked
         )
         update payment_notification n set payment_id = waiting.payment_id from waiting where n.id = waiting.id
         returning n.id, n.payment_id`,
});

/** Notifications that have led to no verification yet and whose payment is known by now, oldest first, tied to it. */
export const linkWaitingNotifications = (em: EntityManager, now: Date, limit: number) => linkKnown(em, [now, limit]);
