import { isJsonObject, type JsonObject } from '../../contract/bounded-json.ts';
import { readReference } from '../../contract/posted-fields.ts';

/** Where the transaction, and both references, stand in an answer or an event: the provider's pages disagree (payment-providers §4). */

export const word = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '');

const envelopes = ['transaction', 'data', 'payment'] as const;

/** What stands under `transaction`, `data` or `payment`, and the `transaction` within it. */
const opened = (answer: JsonObject): JsonObject[] =>
  envelopes
    .map((name) => answer[name])
    .filter(isJsonObject)
    .map((object) => (isJsonObject(object.transaction) ? object.transaction : object));

/**
 * The transaction under `transaction`, `data` or `payment`, or nested once more in a `transaction` within it: the first that has a state. A text where it is no
 * more than a reference. Null: there is none.
 */
export function readTransaction(answer: JsonObject): JsonObject | string | null {
  const found = opened(answer);
  const object = found.find(({ status }) => word(status) !== '') ?? found[0];
  if (!object) return envelopes.map((name) => readReference(answer[name])).find((reference) => reference !== null) ?? null;
  // A bare reference, nested.
  return word(object.status) === '' ? (readReference(object.transaction) ?? object) : object;
}

/** Theirs stands in `reference` or `id`; ours may stand in `reference` too. */
export function theirReference({ reference, id }: JsonObject, ours: string): string | null {
  return [reference, id].map(readReference).find((name) => name !== null && name !== ours) ?? null;
}

/**
 * Ours stands in `merchant_reference` or `trxref`, which then decide; where there is neither, in `reference`, or theirs does, which we got at the
 * start. `trxref` repeats theirs on some pages: it decides nothing then, nor beside a `reference` that is ours.
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

/** Every candidate for our reference in an event's `data`, whose transaction may be nested once more; ours first, then theirs. */
export function readCandidates(data: JsonObject): string[] {
  const levels = [...(isJsonObject(data.transaction) ? [data.transaction] : []), data];
  const fields = ['merchant_reference', 'trxref', 'reference', 'id'] as const;
  const candidates = fields.flatMap((field) => levels.map((level) => readReference(level[field])));
  return [...new Set(candidates.filter((name) => name !== null))];
}

/** Whether a trial payment is told of, made with test keys: in the transaction, or beside it at any level. */
export const tellsSandbox = (answer: JsonObject): boolean =>
  [answer, ...envelopes.map((name) => answer[name]).filter(isJsonObject), ...opened(answer)].some(
    ({ sandbox }) => sandbox === true || word(sandbox).toLowerCase() === 'true' || Number(word(sandbox)) === 1,
  );
