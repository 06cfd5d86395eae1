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

/** Notch Pay (payment-providers §4): its checkout page, signed notifications, verification by our reference or theirs. */
export function notchpayAdapter(settings: NotchpaySettings, surroundings: Partial<ProviderSurroundings> = {}): PaymentProvider {
  const { publicKey, hashKey, baseUrl, checkoutOrigin, signatureHeader, signatureAlgorithm, acceptsSandbox, timeoutMs } = settings;
  const browserOrigins = [checkoutOrigin];
  const http = providerHttp('notchpay', timeoutMs, surroundings);
  // No "Bearer", and no look at the key's beginning: it differs from page to page of the documentation.
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
    // Without JSON it is somebody's 404 page, not the provider's word about a payment.
    if (status === 404 && json !== null) return { kind: 'not_found', raw: json };
    if (status === 401 || status === 403) return { kind: 'unknown', cause: `our key was not accepted (HTTP ${status})`, keyRefused: true };
    // 200 and 202 are both documented.
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

/** Of the payer the e-mail alone: it is enough, and their check of telephone numbers refuses some that work. */
function startBody({ reference, amount, currency, note, urls, payer: { email } }: CheckoutRequest): JsonObject {
  return {
    amount,
    currency,
    email,
    description: note,
    reference,
    callback: urls.success,
    // Nobody is shown another currency or country than ours.
    locked_currency: currency,
    locked_country: 'CM',
  };
}

/**
 * An event's `id` is that of its endpoint on some pages, shared by all that is sent there: only with payment and state does it tell two apart. It is
 * believed only under a signature, or anybody could use an event's key up before it comes. Whatever speaks of a refund counts by its bytes: two refunds of a
 * part are two events in one state, which may be the payment's own, and what is sent again is the same to the byte.
 */
function eventKey(event: JsonObject, data: JsonObject, references: string[], rawBody: Buffer): string {
  const transaction = isJsonObject(data.transaction) ? data.transaction : data;
  const state = [transaction.status, event.type, event.event].find((value) => typeof value === 'string') ?? '';
  const refund = /refund/i.test(rawBody.toString('latin1')) ? hashOf('refund', rawBody) : null;
  return hashOf('event', Buffer.from(JSON.stringify([word(event.id), references, state, refund])));
}

const hashOf = (name: string, content: Buffer): string => createHash('sha256').update(`notchpay\n${name}\n`).update(content).digest('hex');
