import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../platform/named-statement.ts';

/** One round trip, since providers send hundreds at once: the row, tied to the payment that it names by our reference or by the provider's id. */
const insert = namedStatement<{ id: number; payment_id: number | null }>({
  name: 'payment.notification-insert',
  text: `insert into payment_notification (provider, payment_id, candidates, reference, content_type, body, received_at, signed, event_key, headers)
         values ($1::varchar,
                 (select id from payment where provider = $1::varchar and (reference = any($2::text[]) or provider_transaction_id = any($2::text[])) order by id limit 1),
                 to_jsonb($2::text[]), ($2::text[])[1], $3, $4, $5, $6, $7, $8)
         returning id, payment_id`,
});

interface StoredNotification {
  provider: string;
  /** What may be our reference or the provider's id, best first; nothing of a forged one. */
  candidates: string[];
  contentType: string;
  body: Buffer;
  receivedAt: Date;
  signed: boolean;
  eventKey: string;
  headers: Record<string, string>;
}

/** @returns its id and that of the payment it names; null for one that is not known */
export async function insertNotification(
  em: EntityManager,
  notification: StoredNotification,
): Promise<{ id: number; paymentId: number | null }> {
  const { provider, candidates, contentType, body, receivedAt, signed, eventKey, headers } = notification;
  const [row] = await insert(em, [provider, candidates, contentType, body, receivedAt, signed, eventKey, JSON.stringify(headers)]);
  if (!row) throw new Error('the notification was not stored');
  return { id: row.id, paymentId: row.payment_id };
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
           from payment_notification n cross join lateral (
             select id, status, updated_at, next_check_at from payment p
             where p.provider = n.provider
               and (p.reference in (select jsonb_array_elements_text(n.candidates))
                 or p.provider_transaction_id in (select jsonb_array_elements_text(n.candidates)))
             order by id limit 1
           ) p
           where n.processed_at is null and n.received_at <= $1 and n.received_at > $3
             -- Asked about since, without an answer: the payment's own schedule goes on.
             and (n.payment_id is null or p.updated_at < n.received_at or p.next_check_at is null or p.next_check_at <= $1 or p.status = 'succeeded')
           order by n.id limit $2 for update of n skip locked
         )
         update payment_notification n set payment_id = waiting.payment_id from waiting where n.id = waiting.id
         returning n.id, n.payment_id`,
});

/** One of another account's payments stays unknown for ever: it is kept, and no longer looked at. In ms. */
const triedFor = 7 * 24 * 60 * 60_000;

/** Notifications that have led to no verification yet and whose payment is known by now, oldest first, tied to it. */
export const linkWaitingNotifications = (em: EntityManager, now: Date, limit: number) =>
  linkKnown(em, [now, limit, new Date(now.getTime() - triedFor)]);
