import type { Attempt, Checkout, Verification } from '../provider.ts';
import { isJsonObject, type JsonObject } from './bounded-json.ts';
import { readReference } from './posted-fields.ts';
import type { ProviderAnswer } from './provider-http.ts';

const word = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '');

/** Longer names of fields are no names. */
const readableField = /^[\w.-]{1,40}$/;

/** The fields that a 422 complains about: names only, their texts repeat what was sent. */
export function refusedFields(answer: ProviderAnswer): string[] {
  if (answer.kind !== 'answer' || answer.status !== 422 || !isJsonObject(answer.json?.errors)) return [];
  return Object.keys(answer.json.errors)
    .filter((name) => readableField.test(name))
    .slice(0, 10);
}

/** What became of `POST /payments`. @param origins where its checkout page may stand: nobody is sent elsewhere */
export function readNotchpayStart(answer: ProviderAnswer, origins: readonly string[]): Checkout {
  if (answer.kind === 'unknown') return answer;
  const { status, json } = answer;
  if (status === 409) return { kind: 'taken' };
  if (status === 401 || status === 403) return { kind: 'refused', reason: `our key was not accepted (HTTP ${status})` };
  if (status >= 400) return { kind: 'refused', reason: [`HTTP ${status}`, refusedFields(answer).join(', ')].filter(Boolean).join(': ') };
  const redirectUrl = checkoutAddress(json?.authorization_url, origins);
  if (redirectUrl === null) return { kind: 'unknown', cause: 'no usable checkout address in the answer' };
  const theirs = theirReference(json?.transaction);
  return { kind: 'redirect', redirectUrl, ...(theirs === null ? {} : { providerTransactionId: theirs }) };
}

function checkoutAddress(value: unknown, origins: readonly string[]): string | null {
  if (typeof value !== 'string' || !URL.canParse(value)) return null;
  const url = new URL(value);
  // Only http and https addresses have an origin of that kind.
  return origins.includes(url.origin) && url.username === '' && url.password === '' ? url.href : null;
}

/** An object, or a plain string. */
function theirReference(transaction: unknown): string | null {
  if (!isJsonObject(transaction)) return readReference(transaction);
  return readReference(transaction.reference) ?? readReference(transaction.id);
}

const kinds: Record<string, 'failed' | 'cancelled' | 'expired' | 'refunded' | 'pending' | 'incomplete'> = {
  pending: 'pending',
  processing: 'pending',
  incomplete: 'incomplete',
  failed: 'failed',
  rejected: 'failed',
  canceled: 'cancelled',
  abandoned: 'cancelled',
  expired: 'expired',
  refunded: 'refunded',
  'partialy-refunded': 'refunded',
};

/** Reads what `GET /payments/{reference}` says of our attempt. @param onUnknownWord told of a state that the table does not have */
export function readNotchpayVerification(json: JsonObject, attempt: Attempt, onUnknownWord: (state: string) => void): Verification {
  const { transaction } = json;
  if (!isJsonObject(transaction)) return { kind: 'unknown', cause: 'no transaction in the answer' };
  const state = word(transaction.status).toLowerCase();
  const ours = isOurs(transaction, attempt);
  if (state === 'complete') return ours ? readPaid(transaction, attempt, json) : { kind: 'mismatch', raw: json };
  // Says nothing of ours, which is asked about again.
  if (!ours) return { kind: 'unknown', cause: 'answer about another payment' };
  const kind = Object.hasOwn(kinds, state) ? kinds[state] : undefined;
  if (kind === undefined) onUnknownWord(state.slice(0, 40));
  if (kind === undefined || kind === 'pending' || kind === 'incomplete') return { kind: kind ?? 'pending', raw: json };
  return { kind, ...(state === 'partialy-refunded' ? { reason: 'la somme a été rendue en partie' } : {}), raw: json };
}

/** Our reference stands in `merchant_reference`; where there is none, in `reference`, or theirs does, which we got at the start. */
function isOurs(transaction: JsonObject, { reference, providerTransactionId }: Attempt): boolean {
  if (word(transaction.merchant_reference)) return transaction.merchant_reference === reference;
  const named = [transaction.reference, transaction.id];
  return named.includes(reference) || (providerTransactionId !== null && named.includes(providerTransactionId));
}

function readPaid(transaction: JsonObject, { reference, amount, currency }: Attempt, raw: JsonObject): Verification {
  const paid = word(transaction.amount);
  const paysOurs = /^\d{1,12}(\.\d{1,6})?$/.test(paid) && Number(paid) === amount && word(transaction.currency) === currency;
  if (!paysOurs) return { kind: 'mismatch', raw };
  const theirs = [transaction.reference, transaction.id].map(readReference).find((name) => name !== null && name !== reference);
  const phone = payerPhone(transaction);
  return {
    kind: 'succeeded',
    amount,
    currency,
    ...(theirs ? { providerTransactionId: theirs } : {}),
    ...(phone ? { payerPhone: phone } : {}),
    raw,
  };
}

/** The customer may be an object, or no more than an id. */
function payerPhone({ phone, customer }: JsonObject): string {
  return (word(phone) || (isJsonObject(customer) ? word(customer.phone) : '')).slice(0, 30);
}
