import { isJsonObject, type JsonObject } from '../../contract/bounded-json.ts';
import { readReference } from '../../contract/posted-fields.ts';
import type { Attempt, Statement, Taken } from '../../contract/provider.ts';
import { theirReference, word } from './transaction.ts';

/** Reads the amounts of a transaction: paid, fee, refunded (payment-providers §4). */

const amountPattern = /^\d{1,12}(\.\d{1,6})?$/;

/** Returns an amount in whole units; null when the value is not an amount. */
const whole = (value: unknown): number | null => (amountPattern.test(word(value)) ? Math.round(Number(word(value))) : null);

/** Returns the paid amount; null when amount or currency differ from ours. */
export function readTaken(transaction: JsonObject, { reference, amount, currency }: Attempt): Taken | null {
  const paid = word(transaction.amount);
  if (!amountPattern.test(paid) || Number(paid) !== amount || word(transaction.currency) !== currency) return null;
  const theirs = theirReference(transaction, reference);
  const phone = payerPhone(transaction);
  const method = readReference(transaction.payment_method);
  return {
    amount,
    currency,
    ...(theirs ? { providerTransactionId: theirs } : {}),
    ...(phone ? { payerPhone: phone } : {}),
    ...(method ? { method } : {}),
    statement: readStatement(transaction),
  };
}

/** Returns the figures of the statement. Unreadable ones are null and decide nothing. */
function readStatement({ fee, amount_total: total, completed_at: completed }: JsonObject): Statement {
  const at = new Date(typeof completed === 'string' && /^20\d\d-\d\d-\d\d/.test(completed) ? completed : Number.NaN);
  return { fee: columnable(fee), amountCharged: columnable(total), completedAt: Number.isNaN(at.getTime()) ? null : at };
}

/** Returns an amount that fits into an integer column; null otherwise. */
function columnable(value: unknown): number | null {
  const amount = whole(value);
  return amount !== null && amount < 2 ** 31 ? amount : null;
}

/** Returns the payer's telephone. The customer may be an object, or only an id. */
function payerPhone({ phone, customer }: JsonObject): string {
  return (word(phone) || (isJsonObject(customer) ? word(customer.phone) : '')).slice(0, 30);
}

/** Fields of the refunded amount. The documentation does not name the field, so these are common names. */
const returnedFields = ['amount_refunded', 'refunded_amount', 'refund_amount', 'amount_returned'] as const;
/** States of a completed refund. A refund without a state counts as completed. */
const made = ['', 'complete', 'completed', 'succeeded', 'success', 'refunded'];
const wasMade = ({ status }: JsonObject): boolean => made.includes(word(status).toLowerCase());

/** Returns a refund's amount; null in another currency than the payment's. */
const readRefund = ({ amount, currency }: JsonObject, ours: string): number | null =>
  ['', ours].includes(word(currency).toUpperCase()) ? whole(amount) : null;

/**
 * Returns the total refunded, in whole units: the largest value, when several fields give one.
 * Null when there is none; 'unreadable' when a field holds no valid amount in our currency.
 */
export function readReturned(transaction: JsonObject, currency: string): number | 'unreadable' | null {
  const { refund, refunds } = transaction;
  const listed = (Array.isArray(refunds) ? refunds : []).filter(isJsonObject).filter(wasMade);
  const parts = listed.map((each) => readRefund(each, currency));
  const fields = returnedFields.map((name) => transaction[name]).filter((value) => value != null && value !== '' && value !== false);
  const said = [
    ...fields.map(whole),
    ...(isJsonObject(refund) && wasMade(refund) ? [readRefund(refund, currency)] : []),
    ...(parts.length === 0 ? [] : [parts.reduce((sum, part) => (sum === null || part === null ? null : sum + part), 0)]),
  ];
  if (said.length === 0) return null;
  const most = Math.max(0, ...said.filter((amount) => amount !== null));
  return most === 0 && said.includes(null) ? 'unreadable' : most;
}
