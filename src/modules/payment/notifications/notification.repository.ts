import type { EntityManager } from '@mikro-orm/postgresql';
import { batchedStatement } from '../../../platform/database/batched-statement.ts';
import { namedStatement } from '../../../platform/database/named-statement.ts';
import type { RowOf } from '../../../platform/database/rows.ts';
import { systemClock } from '../../../platform/use-cases/clock.ts';
import { maxClockDifferenceMs } from '../../../platform/use-cases/clock-check.ts';
import type { PaymentNotification } from '../ledger/notification.entity.ts';

/**
 * Inserts notifications in batches, since providers send hundreds at once: those that arrive during one statement are inserted by the
 * next. Each is linked to the payment with our reference or the provider's id.
 */
const insert = batchedStatement<Inserted>({
  name: 'payment.notification-insert',
  maxEntries: 50,
  text: `with machine as (select $2::timestamptz - clock_timestamp() as ahead), arrival as materialized (
           select nextval('payment_notification_id_seq')::int as id, n.*,
                  -- Dated by a machine whose clock is wrong, it would be too old, or still to come, for whoever follows it.
                  "receivedAt" - case when abs(extract(epoch from ahead)) * 1000 > ${maxClockDifferenceMs} then ahead else '0' end as at,
                  array(select jsonb_array_elements_text(candidates)) as names
           from machine, rows from (jsonb_to_recordset($1::jsonb) as (
             provider varchar, candidates jsonb, "contentType" varchar, body text, "receivedAt" timestamptz, signed boolean, "eventKey" varchar, headers jsonb))
             with ordinality as n (provider, candidates, "contentType", body, "receivedAt", signed, "eventKey", headers, position)
         ), stored as (
           insert into payment_notification (id, provider, payment_id, candidates, reference, content_type, body, received_at, signed, event_key, headers, processed_at)
           select id, provider,
                  -- Our own reference first: a provider's id may be one that somebody has made up.
                  coalesce((select p.id from payment p where p.provider = a.provider and p.reference = any(names) order by p.id limit 1),
                           (select p.id from payment p where p.provider = a.provider and p.provider_transaction_id = any(names) order by p.id limit 1)),
                  candidates, names[1], "contentType", decode(body, 'base64'), at, signed, "eventKey", headers,
                  -- An event that a signature vouches for and that has been followed says nothing new when it comes again.
                  (select at from payment_notification known where a.signed and known.signed and known.provider = a.provider
                   and known.event_key = a."eventKey" and known.processed_at is not null limit 1)
           from arrival a
           returning id, payment_id, processed_at is not null as repeated
         )
         select a.position::int, s.id, s.payment_id, s.repeated from stored s join arrival a on a.id = s.id`,
});

type Columns = 'provider' | 'candidates' | 'contentType' | 'receivedAt' | 'signed';

interface StoredNotification extends RowOf<PaymentNotification, Columns> {
  body: Buffer;
  eventKey: string;
  headers: Record<string, string>;
}

interface Inserted {
  id: number;
  /** Id of its payment; null when the payment is unknown. */
  paymentId: number | null;
  /** Whether the same event has been processed already. */
  repeated: boolean;
}

export const insertNotification = (em: EntityManager, { body, ...notification }: StoredNotification): Promise<Inserted> =>
  insert(em, { ...notification, body: body.toString('base64') }, () => [systemClock.now()]);

const named = namedStatement<{ id: number | null }>({
  name: 'payment.notification-named',
  text: `select coalesce((select id from payment where provider = $1 and reference = any($2::text[]) order by id limit 1),
                         (select id from payment where provider = $1 and provider_transaction_id = any($2::text[]) order by id limit 1)) as id`,
});

/** Returns the payment with one of these names, our references or the provider's ids; a match of ours has priority. */
export const findNamed = async (em: EntityManager, provider: string, names: string[]): Promise<number | null> =>
  names.length === 0 ? null : ((await named(em, [provider, names]))[0]?.id ?? null);

const markProcessed = namedStatement({
  name: 'payment.notification-processed',
  text: `update payment_notification set processed_at = $2 where id = any($1::int[]) and processed_at is null`,
});

export async function markNotificationsProcessed(em: EntityManager, ids: number[], at: Date): Promise<void> {
  if (ids.length > 0) await markProcessed(em, [ids, at]);
}

const rememberId = namedStatement({
  name: 'payment.remember-provider-id',
  text: `update payment set provider_transaction_id = $2 where id = $1 and provider_transaction_id is null and status = 'succeeded'`,
});

/**
 * Stores the provider's id of a verified payment when the verification itself does not report it, so that support finds the payment
 * by the id that the payer quotes.
 */
export const rememberProviderId = (em: EntityManager, paymentId: number, id: string) => rememberId(em, [paymentId, id.slice(0, 120)]);

/**
 * Maximum number of unlinked notifications examined; the latest are examined. Anybody can send notifications, and payments have their
 * own schedule.
 */
const maxLookedAt = 1_000;

const linkKnown = namedStatement<{ id: number; paymentId: number }>({
  name: 'payment.notification-link',
  text: `with looked as materialized (
           select id, provider, payment_id, candidates, received_at from payment_notification
           where processed_at is null and candidates <> '[]' and received_at <= $1 and received_at > $3
           order by received_at desc limit ${maxLookedAt} for update skip locked
         ), waiting as (
           -- Each candidate by one of two indexes: an OR of both would read every payment.
           select n.id, p.id as payment_id
           from looked n cross join lateral (
             select found.* from jsonb_array_elements_text(n.candidates) candidate cross join lateral (
               select id, status, updated_at, next_check_at, true as ours from payment where reference = candidate and provider = n.provider
               union all
               select id, status, updated_at, next_check_at, false from payment where provider_transaction_id = candidate and provider = n.provider
             ) found order by found.ours desc, found.id limit 1
           ) p
           -- Asked about since, without an answer: the payment's own schedule goes on.
           where n.payment_id is null or p.updated_at < n.received_at or p.next_check_at is null or p.next_check_at <= $1 or p.status = 'succeeded'
           order by n.id limit $2
         )
         update payment_notification n set payment_id = waiting.payment_id from waiting where n.id = waiting.id
         returning n.id, n.payment_id`,
});

/** Time for which an unlinked notification is tried, in ms. It may belong to another account's payment and never be linked. */
const triedFor = 7 * 24 * 60 * 60_000;

/** Links waiting notifications to payments that are known by now, and returns them. */
export const linkWaitingNotifications = (em: EntityManager, now: Date, limit: number) =>
  linkKnown(em, [now, limit, new Date(now.getTime() - triedFor)]);
