import { createHash } from 'node:crypto';
import { isJsonObject, type JsonObject, readJsonObject } from '../../contract/bounded-json.ts';
import type {
  Attempt,
  Checkout,
  CheckoutRequest,
  NotificationHeaders,
  PaymentProvider,
  ProviderNotification,
  Verification,
} from '../../contract/provider.ts';
import { type ProviderSurroundings, providerHttp } from '../../contract/provider-http.ts';
import { isSigned } from '../../contract/signature.ts';
import { readNotchpayStart, readNotchpayVerification } from './answer.ts';
import type { NotchpaySettings } from './settings.ts';
import { readCandidates, word } from './transaction.ts';

/** The adapter of Notch Pay (payment-providers §4): its checkout page, signed notifications, verification by our reference or theirs. */
export function notchpayAdapter(settings: NotchpaySettings, surroundings: Partial<ProviderSurroundings> = {}): PaymentProvider {
  const { publicKey, hashKey, baseUrl, checkoutOrigin, signatureHeader, signatureAlgorithm, acceptsSandbox, timeoutMs } = settings;
  const browserOrigins = [checkoutOrigin];
  const http = providerHttp('notchpay', timeoutMs, surroundings);
  // No "Bearer" prefix, and no check of the key's prefix: the documentation's pages disagree about it.
  const key = { authorization: publicKey ?? '' };

  async function start(request: CheckoutRequest): Promise<Checkout> {
    if (publicKey === null) return { kind: 'refused', reason: 'no public key is set' };
    const answer = await http.post(new URL(`${baseUrl}/payments`), startBody(request), key, http.timeout());
    return readNotchpayStart(answer, request.reference, browserOrigins);
  }

  async function verify(attempt: Attempt): Promise<Verification> {
    if (publicKey === null) return { kind: 'unknown', cause: 'no public key is set' };
    const { reference, providerTransactionId } = attempt;
    const signal = http.timeout();
    const ask = (name: string) => http.get(new URL(`${baseUrl}/payments/${encodeURIComponent(name)}`), key, signal);
    let answer = await ask(reference);
    const asksAgain = answer.kind === 'answer' && answer.status === 404 && providerTransactionId !== null;
    if (asksAgain) answer = await ask(providerTransactionId);
    if (answer.kind === 'unknown') return answer;
    const { status, json } = answer;
    // A 404 without JSON is a page of some proxy, not the provider's answer about a payment.
    if (status === 404 && json !== null) return { kind: 'not_found', raw: json };
    if (status === 401 || status === 403) return { kind: 'unknown', cause: `our key was not accepted (HTTP ${status})`, keyRefused: true };
    // Both 200 and 202 are documented.
    if (status >= 300 || json === null) return { kind: 'unknown', cause: `HTTP ${status}` };
    return readNotchpayVerification(json, attempt, {
      acceptsSandbox,
      onUnknownWord(state) {
        surroundings.log?.warn({ provider: 'notchpay', reference, state }, 'payment provider used an unknown state');
      },
    });
  }

  async function readNotification(rawBody: Buffer, headers: NotificationHeaders): Promise<ProviderNotification> {
    const signed = isSigned(rawBody, headers[signatureHeader], hashKey, signatureAlgorithm);
    const body = readJsonObject(rawBody);
    const event = body.kind === 'json' ? body.value : {};
    const data = isJsonObject(event.data) ? event.data : {};
    const references = readCandidates(data);
    return { references, signed, eventKey: signed ? eventKey(event, data, references, rawBody) : hashOf('unsigned', rawBody) };
  }

  return {
    slug: 'notchpay',
    label: 'Notch Pay (Mobile Money)',
    means: ['mtn', 'orange'],
    referencePrefix: 'NP',
    signsNotifications: true,
    signatureHeader,
    reportsRefunds: true,
    widgetScript: null,
    reopens: false,
    browserOrigins,
    addresses: [baseUrl, checkoutOrigin],
    timeoutMs,
    playPayer: null,
    start,
    verify,
    readNotification,
    health: http.health,
  };
}

/**
 * Returns the body of a start. Of the payer it only has the e-mail: that is enough, and the provider's check of telephone numbers
 * refuses some valid ones.
 */
function startBody({ reference, amount, currency, note, urls, payer: { email } }: CheckoutRequest): JsonObject {
  return {
    amount,
    currency,
    email,
    description: note,
    reference,
    callback: urls.success,
    // The checkout page must not offer another currency or country.
    locked_currency: currency,
    locked_country: 'CM',
  };
}

/**
 * Returns the key that identifies an event.
 * On some pages of the documentation an event's `id` is the id of its endpoint, shared by all events: only with payment and state
 * does it distinguish two events. The id is used only when signed; otherwise anybody could use up an event's key in advance.
 * Events that mention a refund are identified by their bytes: two partial refunds are two events with the same state, and a repeated
 * event has identical bytes.
 */
function eventKey(event: JsonObject, data: JsonObject, references: string[], rawBody: Buffer): string {
  const transaction = isJsonObject(data.transaction) ? data.transaction : data;
  const state = [transaction.status, event.type, event.event].find((value) => typeof value === 'string') ?? '';
  const refund = /refund/i.test(rawBody.toString('latin1')) ? hashOf('refund', rawBody) : null;
  return hashOf('event', Buffer.from(JSON.stringify([word(event.id), references, state, refund])));
}

const hashOf = (name: string, content: Buffer): string => createHash('sha256').update(`notchpay\n${name}\n`).update(content).digest('hex');
