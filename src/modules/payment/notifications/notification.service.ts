import type { EntityManager } from '@mikro-orm/postgresql';
import type { UseCaseContext } from '../../../platform/use-cases/events.ts';
import type { NotificationHeaders, PaymentProvider } from '../contract/provider.ts';
import { notificationsReceived } from '../ledger/payment.counters.ts';
import type { PaymentProviders } from '../providers/provider.registry.ts';
import { questionsTo } from '../settlement/questions.ts';
import { settlePayment } from '../settlement/settle.service.ts';
import { findNamed, insertNotification, markNotificationsProcessed, rememberProviderId } from './notification.repository.ts';
import type { StorageBounds } from './storage-bound.ts';

interface ReceivedNotification {
  /** Null: its payment already has too many stored notifications, so it was not stored. */
  id: number | null;
  /** The same event has been processed already: nothing to do. */
  repeated: boolean;
  /** The provider's id in an unsigned notification. Only used for support's search. */
  providerTransactionId: string | undefined;
  /** The payment to settle; null for an unknown reference, whose notification is processed later. */
  paymentId: number | null;
}

const everybody = 'all';

interface Sender {
  network: string;
  bounds: StorageBounds;
}

/** Counts a stored notification of an unknown payment. Resolves to true when it uses up a limit. */
async function countUnknown({ network, bounds }: Sender, bytes: number): Promise<boolean> {
  const usedUp = await Promise.all([bounds.unknown.count(network, bytes), bounds.allUnknown.count(everybody, bytes)]);
  return usedUp.includes(true);
}

/**
 * Stores a notification as received, before it is processed (payment-providers §6, rules 2 and 12).
 * Returns null for an unsigned notification of an unknown payment whose network has reached its limit: it is counted, but not stored.
 * If a known payment has reached its own limit, the notification is not stored, but still processed, since anybody may have used up
 * the limit.
 * @param sender network and limits that are counted; undefined: no limit
 */
export async function storeNotification(
  em: EntityManager,
  context: UseCaseContext,
  provider: PaymentProvider,
  { body, headers }: { body: Buffer; headers: NotificationHeaders },
  sender?: Sender,
): Promise<ReceivedNotification | null> {
  const { references, signed, eventKey, providerTransactionId } = await provider.readNotification(body, headers);
  // Rule 8: forged notifications are stored as evidence, and never acted upon.
  const forged = provider.signsNotifications && !signed;
  if (forged) context.log.warn({ alert: 'bad-signature', provider: provider.slug }, 'payment notification with a bad signature');
  const usable = forged ? [] : references;
  const keys = usable.map((name) => `${provider.slug} ${name}`);
  if (sender && !signed) {
    const { network, bounds } = sender;
    const unknownReached = (await bounds.unknown.isReached(network)) || (await bounds.allUnknown.isReached(everybody));
    const knownReached = (await Promise.all(keys.map((key) => bounds.known.isReached(key)))).includes(true);
    const paymentId = unknownReached || knownReached ? await findNamed(em, provider.slug, usable) : null;
    if (paymentId === null ? unknownReached : knownReached) {
      notificationsReceived.inc({ provider: provider.slug, outcome: 'dropped' });
      return paymentId === null ? null : { id: null, repeated: false, paymentId, providerTransactionId };
    }
  }
  const contentType = headers['content-type'];
  const stored = await insertNotification(em, {
    provider: provider.slug,
    candidates: usable,
    contentType: (typeof contentType === 'string' ? contentType : '').slice(0, 200),
    body,
    receivedAt: context.clock.now(),
    signed,
    eventKey: eventKey.slice(0, 128),
    headers: storableHeaders(headers, provider.signatureHeader),
  });
  const unknown = stored.paymentId === null && !signed;
  // Providers that do not sign name one reference. A sender who adds others uses up the limit of each.
  if (sender && !signed && !unknown) await Promise.all(keys.map((key) => sender.bounds.known.count(key, body.length)));
  // Logged once an hour, however many are dropped, so that they do not flood the log.
  if (sender && unknown && (await countUnknown(sender, body.length)))
    context.log.warn({ alert: 'unknown-notifications', provider: provider.slug }, 'too many unknown notifications: more are dropped');
  notificationsReceived.inc({ provider: provider.slug, outcome: forged ? 'forged' : stored.paymentId === null ? 'unknown' : 'known' });
  return { ...stored, providerTransactionId };
}

/** Headers stored in addition to the signature's. Other headers are left out, since the sender can choose them freely. */
const keptHeaders = ['content-type', 'content-length', 'user-agent', 'x-forwarded-for'];
const maxHeaderLength = 200;

function storableHeaders(headers: NotificationHeaders, signatureHeader: string | null): Record<string, string> {
  const kept = signatureHeader === null ? keptHeaders : [...keptHeaders, signatureHeader];
  return Object.fromEntries(
    kept.flatMap((name) => {
      const value = headers[name];
      if (value === undefined) return [];
      const text = storableText(String(value));
      // The proxy appends the real address at the end; the part before it may be forged.
      return [[name, name === 'x-forwarded-for' ? text.slice(-maxHeaderLength) : text.slice(0, maxHeaderLength)]];
    }),
  );
}

const storableText = (text: string): string => text.replaceAll('\0', '').toWellFormed();

interface Followed extends Pick<ReceivedNotification, 'id' | 'providerTransactionId'> {
  paymentId: number;
  /** Time of its arrival, by performance.now(). */
  arrived: number;
}

/**
 * Asks the provider about the payment, since a notification proves nothing. The request is skipped if a request
 * sent after its arrival has already been answered. Without an answer the notification is processed later.
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
  if (answer !== 'unknown' && id !== null) await markNotificationsProcessed(em, [id], context.clock.now());
}
