import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../platform/database/named-statement.ts';
import type { RowOf } from '../../../platform/database/rows.ts';
import { systemClock } from '../../../platform/use-cases/clock.ts';
import { maxClockDifferenceMs } from '../../../platform/use-cases/clock-check.ts';
import type { PaymentNotification } from '../ledger/notification.entity.ts';

/** One round trip, since providers send hundreds at once: the row, tied to the payment that it names by our reference or by the provider's id. */
const insert = namedStatement<Inserted>({
  name: 'payment.notification-insert',
  text: `with machine as (select $9::timestamptz - clock_timestamp() as ahead), arrival as (
           -- Dated by a machine whose clock is wrong, it would be too old, or still to come, for whoever follows it.
           select $5::timestamptz - case when abs(extract(epoch from ahead)) * 1000 > ${maxClockDifferenceMs} then ahead else '0' end as at from machine
         )
         insert into payment_notification (provider, payment_id, candidates, reference, content_type, body, received_at, signed, event_key, headers, processed_at)
         values ($1::varchar,
                 -- Our own reference first: a provider's id may be one that somebody has made up.
                 (select id from payment where provider = $1::varchar and (reference = any($2::text[]) or provider_transaction_id = any($2::text[]))
                  order by reference = any($2::text[]) desc, id limit 1),
                 to_jsonb($2::text[]), ($2::text[])[1], $3, $4, (select at from arrival), $6::boolean, $7::varchar, $8,
                 -- An event that a signature vouches for and that has been followed says nothing new when it comes again.
                 (select (select at from arrival) from payment_notification
                  where $6::boolean and signed and provider = $1::varchar and event_key = $7::varchar and processed_at is not null limit 1))
         returning id, payment_id, processed_at is not null as repeated`,
});

type Columns = 'provider' | 'candidates' | 'contentType' | 'receivedAt' | 'signed';

interface StoredNotification extends RowOf<PaymentNotification, Columns> {
  body: Buffer;
  eventKey: string;
  headers: Record<string, string>;
}

interface Inserted {
  id: number;
  /** The payment that it names; null for one that is not known. */
  paymentId: number | null;
  /** The same event has been followed already. */
  repeated: boolean;
}

export async function insertNotification(em: EntityManager, notification: StoredNotification): Promise<Inserted> {
  const { provider, candidates, contentType, body, receivedAt, signed, eventKey, headers } = notification;
  const values = [provider, candidates, contentType, body, receivedAt, signed, eventKey, JSON.stringify(headers), systemClock.now()];
  const [row] = await insert(em, values);
  if (!row) throw new Error('the notification was not stored');
  return row;
}

const named = namedStatement<{ id: number | null }>({
  name: 'payment.notification-named',
  text: `select coalesce((select id from payment where provider = $1 and reference = any($2::text[]) order by id limit 1),
                         (select id from payment where provider = $1 and provider_transaction_id = any($2::text[]) order by id limit 1)) as id`,
});

/** The payment that one of these names, ours or the provider's, belongs to; ours counts before theirs. */
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

/** Of a payment that has been verified and whose provider's verification does not tell its id, so that support finds it by what the payer quotes. */
export const rememberProviderId = (em: EntityManager, paymentId: number, id: string) => rememberId(em, [paymentId, id.slice(0, 120)]);

/** Of those that name no payment yet only the latest are looked at: anybody may send them, and a payment has its own schedule besides. */
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

/** One of another account's payments stays unknown for ever: it is kept for a while, and no longer looked at. In ms. */
const triedFor = 7 * 24 * 60 * 60_000;

/** Notifications that have led to no verification yet and whose payment is known by now, tied to it. */
export const linkWaitingNotifications = (em: EntityManager, now: Date, limit: number) =>
  linkKnown(em, [now, limit, new Date(now.getTime() - triedFor)]);
