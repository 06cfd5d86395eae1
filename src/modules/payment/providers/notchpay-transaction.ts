import { isJsonObject, type JsonObject } from './bounded-json.ts';
import { readReference } from './posted-fields.ts';

/** Where the transaction, and both references, stand in an answer or an event: the provider's pages disagree (payment-providers §4). */

export const word = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '');

const envelopes = ['transaction', 'data', 'payment'] as const;

/**
 * The transaction under `transaction`, `data` or `payment`, or nested once more in a `transaction` within it; a text where it is no more than a
 * reference. Null: there is none.
 */
export function readTransaction(answer: JsonObject): JsonObject | string | null {
  const found = envelopes.map((name) => answer[name]);
  const object = found.find(isJsonObject);
  if (!object) return found.map(readReference).find((reference) => reference !== null) ?? null;
  if (isJsonObject(object.transaction)) return object.transaction;
  // A bare reference, nested.
  return word(object.status) === '' ? (readReference(object.transaction) ?? object) : object;
}

/** Theirs stands in `reference` or `id`; ours may stand in `reference` too. */
export function theirReference({ reference, id }: JsonObject, ours: string): string | null {
  return [reference, id].map(readReference).find((name) => name !== null && name !== ours) ?? null;
}

/**
 * Ours stands in `merchant_reference` or `trxref`, which then decide; where there is neither, in `reference`, or theirs does, which we got at the
 * start. `trxref` repeats theirs on some pages: then it decides nothing.
 */
export function namesOurs(
  transaction: JsonObject,
  { reference, providerTransactionId }: { reference: string; providerTransactionId: string | null },
): boolean {
  const named = [transaction.reference, transaction.id].map(word);
  const merchant = word(transaction.merchant_reference);
  const returned = word(transaction.trxref);
  const decisive = merchant || (named.includes(returned) ? '' : returned);
  if (decisive) return decisive === reference;
  return named.includes(reference) || (providerTransactionId !== null && named.includes(providerTransactionId));
}

/** Every candidate for our reference in an event's `data`, whose transaction may be nested once more; ours first, then theirs. */
export function readCandidates(data: JsonObject): string[] {
  const levels = [...(isJsonObject(data.transaction) ? [data.transaction] : []), data];
  const fields = ['merchant_reference', 'trxref', 'reference', 'id'] as const;
  const candidates = fields.flatMap((field) => levels.map((level) => readReference(level[field])));
  return [...new Set(candidates.filter((name) => name !== null))];
}

/** What is said of a trial payment, made with test keys. */
export const isSandbox = ({ sandbox }: JsonObject): boolean => sandbox === true || ['1', 'true'].includes(word(sandbox));
