import { createHash } from 'node:crypto';
import { readPostedFields, readReference } from '../../contract/posted-fields.ts';
import type { Attempt, Checkout, CheckoutRequest, PaymentProvider, ProviderNotification, Verification } from '../../contract/provider.ts';
import { type ProviderAnswer, type ProviderSurroundings, providerHttp } from '../../contract/provider-http.ts';
import { readZitopayAnswer } from './answer.ts';
import type { ZitopaySettings } from './settings.ts';
import { playPayer } from './simulation.ts';

/** Longest memo in characters; the provider cuts longer ones. */
const maxMemoLength = 225;

/** The adapter of ZitoPay (payment-providers §3): its widget or its checkout page, unsigned notifications, verification by reference. */
export function zitopayAdapter(settings: ZitopaySettings, surroundings: Partial<ProviderSurroundings> = {}): PaymentProvider {
  const { receiver, baseUrl, scriptUrl, timeoutMs, hasWidget } = settings;
  const http = providerHttp('zitopay', timeoutMs, surroundings);

  async function start(request: CheckoutRequest): Promise<Checkout> {
    const options = {
      receiver,
      amount: request.amount,
      currency: request.currency,
      ref: request.reference,
      memo: request.note.slice(0, maxMemoLength).toWellFormed(),
      notification_url: request.urls.notification,
      success_url: request.urls.success,
      cancel_url: request.urls.cancel,
    };
    const checkout = new URL(`${baseUrl}/sci`);
    for (const [name, value] of Object.entries(options)) checkout.searchParams.set(name, String(value));
    if (!hasWidget) return { kind: 'redirect', redirectUrl: checkout.href };
    return { kind: 'widget', script: scriptUrl, options, checkoutUrl: checkout.href };
  }

  /** Asks about a payment, always with our own receiver, never with a posted one. */
  async function ask(reference: string, compared: { amount: string; currency: string } | null, signal: AbortSignal) {
    const url = new URL(`${baseUrl}/api_v1`);
    url.search = new URLSearchParams({ action: 'get_transaction', receiver, ref: reference, trade_id: '0', ...compared }).toString();
    return readJson(await http.get(url, {}, signal));
  }

  async function verify(attempt: Attempt): Promise<Verification> {
    const { reference, amount, currency } = attempt;
    const signal = http.timeout();
    const answer = await ask(reference, { amount: String(amount), currency }, signal);
    if (answer.kind === 'unknown') return answer;
    if (!answer.json.error) return readZitopayAnswer(answer.json, attempt);
    // An error means that the payment is unknown, or that amount or currency differ. Asking without them tells which.
    const bare = await ask(reference, null, signal);
    if (bare.kind === 'unknown') return bare;
    if (bare.json.error) return { kind: 'not_found', raw: bare.json };
    return readZitopayAnswer(bare.json, attempt);
  }

  async function readNotification(rawBody: Buffer, headers: Record<string, string | string[] | undefined>): Promise<ProviderNotification> {
    const contentType = headers['content-type'];
    const fields = await readPostedFields(rawBody, typeof contentType === 'string' ? contentType : undefined);
    const reference = readReference(fields.get('ref'));
    const eventKey = createHash('sha256').update(`zitopay\n${reference}\n`).update(rawBody).digest('hex');
    const theirs = readReference(fields.get('zitopay_transaction_reference'));
    return {
      references: reference === null ? [] : [reference],
      signed: false,
      eventKey,
      ...(theirs === null ? {} : { providerTransactionId: theirs }),
    };
  }

  return {
    slug: 'zitopay',
    label: 'ZitoPay (carte, Mobile Money)',
    means: ['mtn', 'orange', 'card'],
    referencePrefix: 'ZP',
    signsNotifications: false,
    signatureHeader: null,
    reportsRefunds: false,
    widgetScript: hasWidget ? scriptUrl : null,
    reopens: true,
    browserOrigins: [...new Set([...(hasWidget ? [new URL(scriptUrl).origin] : []), new URL(baseUrl).origin])],
    addresses: [baseUrl, scriptUrl],
    timeoutMs,
    // The simulation needs the widget's options.
    playPayer: hasWidget ? (options, choice) => playPayer(settings, options, choice) : null,
    start,
    verify,
    readNotification,
    health: http.health,
  };
}

/** Returns the JSON of a response. The provider sends errors with 200 too, so any other status is not its answer. */
function readJson(answer: ProviderAnswer) {
  if (answer.kind === 'unknown') return answer;
  const { status, json } = answer;
  return status === 200 && json !== null ? { kind: 'json' as const, json } : { kind: 'unknown' as const, cause: `HTTP ${status}` };
}
