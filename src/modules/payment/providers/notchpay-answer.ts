import type { Attempt, Checkout, Statement, Verification } from '../provider.ts';
import { isJsonObject, type JsonObject } from './bounded-json.ts';
import { isSandbox, namesOurs, readTransaction, theirReference, word } from './notchpay-transaction.ts';
import type { ProviderAnswer } from './provider-http.ts';

/** Longer names of fields are no names. */
const readableField = /^[\w.-]{1,40}$/;

/** The fields that a 422 complains about: names only, their texts repeat what was sent. */
export function refusedFields(answer: ProviderAnswer): string[] {
  if (answer.kind !== 'answer' || answer.status !== 422 || !isJsonObject(answer.json?.errors)) return [];
  return Object.keys(answer.json.errors)
    .filter((name) => readableField.test(name))
    .slice(0, 10);
}

/** What became of `POST /payments`. @param ours our reference @param origins where its checkout page may stand: nobody is sent elsewhere */
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
  // Only http and https addresses have an origin of that kind.
  return origins.includes(url.origin) && url.username === '' && url.password === '' ? url.href : null;
}

const kinds: Record<string, 'succeeded' | 'failed' | 'cancelled' | 'expired' | 'refunded' | 'pending' | 'incomplete'> = {
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
  'partialy-refunded': 'refunded',
};

interface Reading {
  /** Whether a trial payment counts like any other. */
  acceptsSandbox: boolean;
  /** Told of a state that the table does not have. */
  onUnknownWord: (state: string) => void;
}

/** Reads what `GET /payments/{reference}` says of our attempt. */
export function readNotchpayVerification(json: JsonObject, attempt: Attempt, { acceptsSandbox, onUnknownWord }: Reading): Verification {
  const transaction = readTransaction(json);
  if (transaction === null) return { kind: 'unknown', cause: 'no transaction in the answer' };
  // No more than a reference: nothing is known yet.
  if (!isJsonObject(transaction)) return { kind: 'pending', raw: json };
  const state = word(transaction.status).toLowerCase();
  const ours = namesOurs(transaction, attempt);
  if (!ours && state === 'complete') return { kind: 'mismatch', raw: json };
  // Says nothing of ours, which is asked about again.
  if (!ours) return { kind: 'unknown', cause: 'answer about another payment' };
  const kind = Object.hasOwn(kinds, state) ? kinds[state] : undefined;
  if (kind === undefined) onUnknownWord(state.slice(0, 40));
  const came = kind !== 'failed' && kind !== 'cancelled' && kind !== 'expired';
  if (came && !acceptsSandbox && isSandbox(transaction)) return { kind: 'sandbox', raw: json };
  if (kind === 'succeeded') return readPaid(transaction, attempt, json);
  if (kind === undefined || kind === 'pending' || kind === 'incomplete') return { kind: kind ?? 'pending', raw: json };
  return { kind, ...(state === 'partialy-refunded' ? { reason: 'la somme a été rendue en partie' } : {}), raw: json };
}

function readPaid(transaction: JsonObject, { reference, amount, currency }: Attempt, raw: JsonObject): Verification {
  const paid = word(transaction.amount);
  const paysOurs = /^\d{1,12}(\.\d{1,6})?$/.test(paid) && Number(paid) === amount && word(transaction.currency) === currency;
  if (!paysOurs) return { kind: 'mismatch', raw };
  const theirs = theirReference(transaction, reference);
  const phone = payerPhone(transaction);
  const { payment_method: method } = transaction;
  return {
    kind: 'succeeded',
    amount,
    currency,
    ...(theirs ? { providerTransactionId: theirs } : {}),
    ...(phone ? { payerPhone: phone } : {}),
    ...(typeof method === 'string' && method.trim() ? { method: method.trim() } : {}),
    statement: readStatement(transaction),
    raw,
  };
}

/** What of it cannot be read is null: it decides nothing. */
function readStatement({ fee, amount_total: total, completed_at: completed }: JsonObject): Statement {
  const whole = (value: unknown) => (/^\d{1,9}(\.\d{1,6})?$/.test(word(value)) ? Math.round(Number(word(value))) : null);
  const at = new Date(typeof completed === 'string' && /^\d{4}-\d\d-\d\d/.test(completed) ? completed : Number.NaN);
  return { fee: whole(fee), amountCharged: whole(total), completedAt: Number.isNaN(at.getTime()) ? null : at };
}

/** The customer may be an object, or no more than an id. */
function payerPhone({ phone, customer }: JsonObject): string {
  return (word(phone) || (isJsonObject(customer) ? word(customer.phone) : '')).slice(0, 30);
}
