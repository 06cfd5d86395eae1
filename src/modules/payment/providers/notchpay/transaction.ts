import { isJsonObject, type JsonObject } from '../../contract/bounded-json.ts';
import { readReference } from '../../contract/posted-fields.ts';

/**
 * Finds the transaction and both references in a response or an event. The provider's pages disagree about their position
 * (payment-providers §4).
 */

export const word = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '');

const envelopes = ['transaction', 'data', 'payment'] as const;

/** Returns the objects under `transaction`, `data` or `payment`, or the `transaction` within each. */
const opened = (answer: JsonObject): JsonObject[] =>
  envelopes
    .map((name) => answer[name])
    .filter(isJsonObject)
    .map((object) => (isJsonObject(object.transaction) ? object.transaction : object));

/**
 * Returns the transaction under `transaction`, `data` or `payment`, or nested in a further `transaction`: the first one with a state.
 * A string when there is only a reference; null when there is no transaction.
 */
export function readTransaction(answer: JsonObject): JsonObject | string | null {
  const found = opened(answer);
  const object = found.find(({ status }) => word(status) !== '') ?? found[0];
  if (!object) return envelopes.map((name) => readReference(answer[name])).find((reference) => reference !== null) ?? null;
  // A transaction without status may hold the reference one level deeper.
  return word(object.status) === '' ? (readReference(object.transaction) ?? object) : object;
}

/** Returns the provider's reference, from `reference` or `id`; `reference` may also hold ours. */
export function theirReference({ reference, id }: JsonObject, ours: string): string | null {
  return [reference, id].map(readReference).find((name) => name !== null && name !== ours) ?? null;
}

/**
 * Returns whether the transaction is our attempt's.
 * `merchant_reference` or `trxref` decides if present; otherwise `reference` or `id` must hold our reference, or the provider's id
 * known from the start.
 * On some pages `trxref` repeats the provider's reference: then it does not decide, nor next to a `reference` that is ours.
 */
export function namesOurs(
  transaction: JsonObject,
  { reference, providerTransactionId }: { reference: string; providerTransactionId: string | null },
): boolean {
  const named = [transaction.reference, transaction.id].map(word);
  const merchant = word(transaction.merchant_reference);
  const returned = word(transaction.trxref);
  const decisive = merchant || (named.includes(returned) || named.includes(reference) ? '' : returned);
  if (decisive) return decisive === reference;
  return named.includes(reference) || (providerTransactionId !== null && named.includes(providerTransactionId));
}

/** Returns every candidate for our reference in an event's `data`, also from a nested transaction; ours first, then the provider's. */
export function readCandidates(data: JsonObject): string[] {
  const levels = [...(isJsonObject(data.transaction) ? [data.transaction] : []), data];
  const fields = ['merchant_reference', 'trxref', 'reference', 'id'] as const;
  const candidates = fields.flatMap((field) => levels.map((level) => readReference(level[field])));
  return [...new Set(candidates.filter((name) => name !== null))];
}

/** Returns whether an answer is marked as a test payment: in the transaction, or next to it at any level. */
export const tellsSandbox = (answer: JsonObject): boolean =>
  [answer, ...envelopes.map((name) => answer[name]).filter(isJsonObject), ...opened(answer)].some(
    ({ sandbox }) => sandbox === true || word(sandbox).toLowerCase() === 'true' || Number(word(sandbox)) === 1,
  );
