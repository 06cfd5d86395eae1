import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../platform/database/named-statement.ts';
import type { RowOf } from '../../../platform/database/rows.ts';
import { type Payment, type PaymentEvent, type PaymentNotification, storableAnswer } from '../../payment/index.ts';
import { type PaymentSummary, summaryColumns } from '../payments/payments.repository.ts';
import { type AccessStory, accessColumn, readAccess, type StoredAccess } from './access.repository.ts';
import { readableBody } from './notification-body.ts';

/** Reads the full history of a payment and of its learner's access: two statements. */

export interface StoryEvent extends RowOf<PaymentEvent, 'type' | 'actor' | 'operator' | 'returned' | 'detail' | 'at'> {
  fromStatus: PaymentSummary['status'] | null;
  toStatus: PaymentSummary['status'] | null;
}

export interface StoryNotification extends RowOf<PaymentNotification, 'id' | 'contentType' | 'signed' | 'receivedAt' | 'processedAt'> {
  headers: Record<string, unknown>;
  /** Beginning of the body as readable text, without telephone numbers. */
  body: string;
  /** Length of the full body, in bytes. */
  bodyLength: number;
}

/** Maximum numbers of events and of notifications of one history; the newest are read. */
export const maxEvents = 500;
export const maxNotifications = 200;

export interface PaymentStory extends PaymentSummary, RowOf<Payment, 'updatedAt' | 'amountCharged' | 'completedAt'> {
  userId: string;
  username: string;
  /** Oldest first; only the newest 500. */
  events: StoryEvent[];
  /** Oldest first; only the newest 200. */
  notifications: StoryNotification[];
}

type StoredEvent = Omit<StoryEvent, 'at'> & { at: string };

const paymentColumns = `${summaryColumns}, p.user_id, u.username, p.updated_at, p.amount_charged, p.completed_at,
  (select coalesce(jsonb_agg(jsonb_build_object('type', e.type, 'actor', e.actor, 'operator', e.operator, 'fromStatus', e.from_status,
            'toStatus', e.to_status, 'returned', e.returned, 'detail', e.detail, 'at', e.at) order by e.id), '[]')
   from (select * from payment_event where payment_id = p.id order by id desc limit ${maxEvents}) e) as events, ${accessColumn}`;

type StoredPayment = Omit<PaymentStory, 'events' | 'notifications'> & { events: StoredEvent[]; access: StoredAccess | null };

const byId = namedStatement<StoredPayment>({
  name: 'payment.story-by-id',
  text: `select ${paymentColumns} from payment p join app_user u on u.id = p.user_id where p.id = $1`,
});

const byReference = namedStatement<StoredPayment>({
  name: 'payment.story-by-reference',
  text: `select ${paymentColumns} from payment p join app_user u on u.id = p.user_id
         where p.reference = $1 or p.provider_transaction_id = $1 order by p.reference = $1 desc, p.id limit 1`,
});

type StoredNotification = Omit<StoryNotification, 'body' | 'headers'> & { body: Buffer; headers: unknown };

/** Reads the payment's notifications, and unprocessed ones that name it. */
const notificationsOf = namedStatement<StoredNotification>({
  name: 'payment.story-notifications',
  text: `select id, content_type, signed, headers, substring(body from 1 for 4096) as body, octet_length(body) as body_length,
                received_at, processed_at
         from payment_notification
         where payment_id = $1 or (payment_id is null and provider = $2 and reference = any($3::text[]))
         order by id desc limit ${maxNotifications}`,
});

/**
 * Returns a payment with its full history, and the access to which it belongs (null before the first access); null for an unknown
 * payment.
 * @param key its id, its reference, or the provider's id
 */
export async function readStory(
  em: EntityManager,
  key: number | string,
): Promise<{ payment: PaymentStory; access: AccessStory | null } | null> {
  const [row] = typeof key === 'number' ? await byId(em, [key]) : await byReference(em, [key]);
  if (!row) return null;
  const { access, ...payment } = row;
  const { id, provider, reference, providerTransactionId } = payment;
  const names = [reference, ...(providerTransactionId === null ? [] : [providerTransactionId])];
  const kept = [...names, String(payment.amount)];
  const notifications = await notificationsOf(em, [id, provider, names]);
  const story: PaymentStory = {
    ...payment,
    events: payment.events.map((event) => ({ ...event, at: new Date(event.at) })),
    notifications: notifications.toReversed().map((notification) => ({
      ...notification,
      headers: storableAnswer(notification.headers ?? {}, kept) as Record<string, unknown>,
      body: readableBody(notification.body, notification.contentType, kept),
    })),
  };
  return { payment: story, access: access && readAccess(access) };
}

/** Returns only the payment of `readStory`. */
export async function showPayment(em: EntityManager, key: number | string): Promise<PaymentStory | null> {
  return (await readStory(em, key))?.payment ?? null;
}
