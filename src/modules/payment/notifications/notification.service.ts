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
  /** Null: it names a payment that has had its share, and was not stored. */
  id: number | null;
  /** The same event has been followed already: nothing is to be done. */
  repeated: boolean;
  /** The provider's id, as an unsigned notification says it: to be found by, nothing more. */
  providerTransactionId: string | undefined;
  /** The payment to settle; null for an unknown reference, which is kept and tried again. */
  paymentId: number | null;
}

const everybody = 'all';

interface Sender {
  network: string;
  bounds: StorageBounds;
}

/** Counts one that is stored. Resolves to true for the one that uses a share up. */
async function countUnknown({ network, bounds }: Sender, bytes: number): Promise<boolean> {
  const usedUp = await Promise.all([bounds.unknown.count(network, bytes), bounds.allUnknown.count(everybody, bytes)]);
  return usedUp.includes(true);
}

/**
 * Stores a notification as it came, before anything else is done with it (payment-providers §6, rules 2 and 12). Null: it names no payment of ours, carries no
 * signature, and its network has had its share of those; it is counted, and not stored. One that names a payment which has had its own share is not
 * stored either, and followed all the same: anybody may have used it up.
 * @param sender whose share is counted; without it none is
 */
export async function storeNotification(
  em: EntityManager,
  context: UseCaseContext,
  provider: PaymentProvider,
  { body, headers }: { body: Buffer; headers: NotificationHeaders },
  sender?: Sender,
): Promise<ReceivedNotification | null> {
  const { references, signed, eventKey, providerTransactionId } = await provider.readNotification(body, headers);
  // Rule 8: kept for the record, and never acted upon.
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
  // Providers without a signature name one reference: whoever adds others uses up a share of each.
  if (sender && !signed && !unknown) await Promise.all(keys.map((key) => sender.bounds.known.count(key, body.length)));
  // Told once an hour, however many are dropped, so that they do not fill the log either.
  if (sender && unknown && (await countUnknown(sender, body.length)))
    context.log.warn({ alert: 'unknown-notifications', provider: provider.slug }, 'too many unknown notifications: more are dropped');
  notificationsReceived.inc({ provider: provider.slug, outcome: forged ? 'forged' : stored.paymentId === null ? 'unknown' : 'known' });
  return { ...stored, providerTransactionId };
}

/** What is kept beside the signature's: enough to say who sent what. Whatever else comes is a stranger's to choose. */
const keptHeaders = ['content-type', 'content-length', 'user-agent', 'x-forwarded-for'];
const maxHeaderLength = 200;

function storableHeaders(headers: NotificationHeaders, signatureHeader: string | null): Record<string, string> {
  const kept = signatureHeader === null ? keptHeaders : [...keptHeaders, signatureHeader];
  return Object.fromEntries(
    kept.flatMap((name) => {
      const value = headers[name];
      if (value === undefined) return [];
      const text = storableText(String(value));
      // A proxy writes the address that it has seen at the end; what stands before it may be made up.
      return [[name, name === 'x-forwarded-for' ? text.slice(-maxHeaderLength) : text.slice(0, maxHeaderLength)]];
    }),
  );
}

const storableText = (text: string): string => text.replaceAll('\0', '').toWellFormed();

interface Followed extends Pick<ReceivedNotification, 'id' | 'providerTransactionId'> {
  paymentId: number;
  /** When it came, by performance.now(). */
  arrived: number;
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
  if (answer !== 'unknown' && id !== null) await markNotificationsProcessed(em, [id], context.clock.now());
}
