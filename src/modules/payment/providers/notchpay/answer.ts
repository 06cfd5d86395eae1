import { isJsonObject, type JsonObject } from '../../contract/bounded-json.ts';
import type { Attempt, Checkout, Verification } from '../../contract/provider.ts';
import type { ProviderAnswer } from '../../contract/provider-http.ts';
import { readReturned, readTaken } from './money.ts';
import { namesOurs, readTransaction, tellsSandbox, theirReference, word } from './transaction.ts';

/** Matches valid names of fields; longer ones are ignored. */
const readableField = /^[\w.-]{1,40}$/;

/** Returns the names of the fields refused by a 422. Their messages are left out, since they repeat the sent values. */
function refusedFields(answer: ProviderAnswer): string[] {
  if (answer.kind !== 'answer' || answer.status !== 422 || !isJsonObject(answer.json?.errors)) return [];
  return Object.keys(answer.json.errors)
    .filter((name) => readableField.test(name))
    .slice(0, 10);
}

/**
 * Reads the response to `POST /payments`. @param ours our reference @param origins allowed origins of the checkout page; payers are
 * sent nowhere else
 */
export function readNotchpayStart(answer: ProviderAnswer, ours: string, origins: readonly string[]): Checkout {
  if (answer.kind === 'unknown') return answer;
  const { status, json } = answer;
  if (status === 409) return { kind: 'taken' };
  if (status === 401 || status === 403) return { kind: 'refused', reason: `our key was not accepted (HTTP ${status})` };
  if (status >= 400) return { kind: 'refused', reason: [`HTTP ${status}`, refusedFields(answer).join(', ')].filter(Boolean).join(': ') };
  const redirectUrl = checkoutAddress(json?.authorization_url, origins);
  if (redirectUrl === null) return { kind: 'unknown', cause: 'no usable checkout address in the answer' };
  const transaction = json && readTransaction(json);
  const theirs = isJsonObject(transaction) ? theirReference(transaction, ours) : transaction;
  return { kind: 'redirect', redirectUrl, ...(theirs === null ? {} : { providerTransactionId: theirs }) };
}

function checkoutAddress(value: unknown, origins: readonly string[]): string | null {
  if (typeof value !== 'string' || !URL.canParse(value)) return null;
  const url = new URL(value);
  // The origins of the settings are http or https, so addresses with other schemes do not match.
  return origins.includes(url.origin) && url.username === '' && url.password === '' ? url.href : null;
}

const kinds: Record<string, 'succeeded' | 'failed' | 'cancelled' | 'expired' | 'refunded' | 'partly_refunded' | 'pending' | 'incomplete'> =
  {
    pending: 'pending',
    processing: 'pending',
    complete: 'succeeded',
    incomplete: 'incomplete',
    failed: 'failed',
    rejected: 'failed',
    canceled: 'cancelled',
    abandoned: 'cancelled',
    expired: 'expired',
    refunded: 'refunded',
    'partialy-refunded': 'partly_refunded',
    'partially-refunded': 'partly_refunded',
  };

interface Reading {
  /** Whether a test payment counts like a real one. */
  acceptsSandbox: boolean;
  /** Called with a state that the table does not contain. */
  onUnknownWord: (state: string) => void;
}

/** Reads the response of `GET /payments/{reference}` about our attempt. */
export function readNotchpayVerification(json: JsonObject, attempt: Attempt, { acceptsSandbox, onUnknownWord }: Reading): Verification {
  const transaction = readTransaction(json);
  if (transaction === null) return { kind: 'unknown', cause: 'no transaction in the answer' };
  // The transaction is a mere reference, without a state yet.
  if (!isJsonObject(transaction)) return { kind: 'pending', raw: json };
  const state = word(transaction.status).toLowerCase();
  const ours = namesOurs(transaction, attempt);
  if (!ours && state === 'complete') return { kind: 'mismatch', raw: json };
  // The response is about another payment: ask again later.
  if (!ours) return { kind: 'unknown', cause: 'answer about another payment' };
  const kind = Object.hasOwn(kinds, state) ? kinds[state] : undefined;
  if (kind === undefined) onUnknownWord(state.slice(0, 40));
  const came = kind !== 'failed' && kind !== 'cancelled' && kind !== 'expired';
  if (came && !acceptsSandbox && tellsSandbox(json)) return { kind: 'sandbox', raw: json };
  if (kind === 'succeeded' || kind === 'refunded' || kind === 'partly_refunded') return readPaid(kind, transaction, attempt, json);
  if (kind === 'failed' || kind === 'cancelled' || kind === 'expired') return { kind, ...readReason(transaction), raw: json };
  return { kind: kind ?? 'pending', raw: json };
}

/** Returns the text about a failed payment. No page of the documentation names its field (payment-providers §4). */
function readReason({ failure_reason, reason, message }: JsonObject): { reason?: string } {
  const text = [failure_reason, reason, message].map(word).find((said) => said !== '');
  return text === undefined ? {} : { reason: text.slice(0, 200) };
}

/** Reads a paid or refunded payment. The refunded amount decides, not only the state: `refunded` is also used for partial refunds. */
function readPaid(
  said: 'succeeded' | 'refunded' | 'partly_refunded',
  transaction: JsonObject,
  attempt: Attempt,
  raw: JsonObject,
): Verification {
  const taken = readTaken(transaction, attempt);
  const returned = readReturned(transaction, attempt.currency);
  if (said === 'succeeded' && taken === null) return { kind: 'mismatch', raw };
  if (said === 'succeeded' && taken !== null && !returned) return { kind: 'succeeded', ...taken, raw };
  const all = typeof returned === 'number' ? returned >= attempt.amount : returned === null && said === 'refunded';
  if (all) return { kind: 'refunded', raw };
  // A part of another amount than ours, no amount, or an unreadable one: an administrator clarifies it.
  const known = taken !== null && typeof returned === 'number' && returned > 0;
  if (known) return { kind: 'partly_refunded', taken, returned, raw };
  // With the state `refunded` the entire amount may be refunded, so the answer must not open an access.
  return { kind: 'partly_refunded', taken: said === 'refunded' ? null : taken, returned: null, raw };
}
