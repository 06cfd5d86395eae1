import type { EntityManager } from '@mikro-orm/postgresql';
import type { UseCaseContext } from '../../platform/events.ts';
import { notificationsReceived } from './payment-metrics.ts';
import { insertNotification, markNotificationsProcessed, rememberProviderId } from './payment-notification.repository.ts';
import { questionsTo } from './payment-questions.ts';
import { settlePayment } from './payment-settle.service.ts';
import type { NotificationHeaders, PaymentProvider } from './provider.ts';
import type { PaymentProviders } from './providers.ts';

export interface ReceivedNotification {
  id: number;
  /** The same event has been followed already: nothing is to be done. */
  repeated: boolean;
  /** The provider's id, as an unsigned notification says it: to be found by, nothing more. */
  providerTransactionId: string | undefined;
  /** The payment to settle; null for an unknown reference, which is kept and tried again. */
  paymentId: number | null;
}

/** Stores a notification as it came, before anything else is done with it (payment-providers §6, rules 2 and 12). */
export async function storeNotification(
  em: EntityManager,
  context: UseCaseContext,
  provider: PaymentProvider,
  { body, headers }: { body: Buffer; headers: NotificationHeaders },
): Promise<ReceivedNotification> {
  const { references, signed, eventKey, providerTransactionId } = await provider.readNotification(body, headers);
  // Rule 8: kept for the record, and never acted upon.
  const forged = provider.signsNotifications && !signed;
  if (forged) context.log.warn({ alert: 'bad-signature', provider: provider.slug }, 'payment notification with a bad signature');
  const usable = forged ? [] : references;
  const contentType = headers['content-type'];
  const stored = await insertNotification(em, {
    provider: provider.slug,
    candidates: usable,
    contentType: (typeof contentType === 'string' ? contentType : '').slice(0, 200),
    body,
    receivedAt: context.clock.now(),
    signed,
    eventKey: eventKey.slice(0, 128),
    headers: storableHeaders(headers),
  });
  notificationsReceived.inc({ provider: provider.slug, outcome: forged ? 'forged' : stored.paymentId === null ? 'unknown' : 'known' });
  return { ...stored, providerTransactionId };
}

/** Never kept: they could open something. */
const credentials = new Set(['cookie', 'authorization', 'proxy-authorization']);
const mostHeaders = 40;
const longestHeader = 300;

function storableHeaders(headers: NotificationHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name, value]) => value !== undefined && !credentials.has(name))
      .slice(0, mostHeaders)
      .map(([name, value]) => [name.slice(0, 100), storableText(String(value)).slice(0, longestHeader)]),
  );
}

const storableText = (text: string): string => text.replaceAll('\0', '').toWellFormed();

interface Followed {
  id: number;
  paymentId: number;
  /** When it came, by performance.now(). */
  arrived: number;
  providerTransactionId: string | undefined;
}

/**
 * The notification says nothing by itself: the provider is asked, unless it has answered a question that was asked after it came. Without an answer
 * it stays to be tried again.
 */
export async function followNotification(
  em: EntityManager,
  context: UseCaseContext,
  providers: PaymentProviders,
  { id, paymentId, arrived, providerTransactionId }: Followed,
): Promise<void> {
  const known = questionsTo(providers).answeredSince(paymentId, arrived);
  const answer = known ? null : (await settlePayment(em, context, providers, paymentId, 'provider-notification')).answer;
  if (providerTransactionId !== undefined) await rememberProviderId(em, paymentId, providerTransactionId);
  if (answer !== 'unknown') await markNotificationsProcessed(em, [id], context.clock.now());
}
