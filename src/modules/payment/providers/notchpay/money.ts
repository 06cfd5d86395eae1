import { isJsonObject, type JsonObject } from '../../contract/bounded-json.ts';
import { readReference } from '../../contract/posted-fields.ts';
import type { Attempt, Statement, Taken } from '../../contract/provider.ts';
import { theirReference, word } from './transaction.ts';

/** What a transaction says of money: taken, kept as a fee, given back (payment-providers §4). */

const amountPattern = /^\d{1,12}(\.\d{1,6})?$/;

/** In whole units; null for what is no amount. */
const whole = (value: unknown): number | null => (amountPattern.test(word(value)) ? Math.round(Number(word(value))) : null);

/** What the payer has paid; null for another amount or currency than ours. */
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

/** What of it cannot be read is null: it decides nothing. */
function readStatement({ fee, amount_total: total, completed_at: completed }: JsonObject): Statement {
  const at = new Date(typeof completed === 'string' && /^20\d\d-\d\d-\d\d/.test(completed) ? completed : Number.NaN);
  return { fee: columnable(fee), amountCharged: columnable(total), completedAt: Number.isNaN(at.getTime()) ? null : at };
}

/** What an integer column holds. */
function columnable(value: unknown): number | null {
  const amount = whole(value);
  return amount !== null && amount < 2 ** 31 ? amount : null;
}

/** The customer may be an object, or no more than an id. */
function payerPhone({ phone, customer }: JsonObject): string {
  return (word(phone) || (isJsonObject(customer) ? word(customer.phone) : '')).slice(0, 30);
}

/** No page names the field: the names that such fields have elsewhere. */
const returnedFields = ['amount_refunded', 'refunded_amount', 'refund_amount', 'amount_returned'] as const;
/** A refund that has been made; one without a word has been, too. */
const made = ['', 'complete', 'completed', 'succeeded', 'success', 'refunded'];
const wasMade = ({ status }: JsonObject): boolean => made.includes(word(status).toLowerCase());

/** A refund in another currency than the payment's is no amount of it. */
const readRefund = ({ amount, currency }: JsonObject, ours: string): number | null =>
  ['', ours].includes(word(currency).toUpperCase()) ? whole(amount) : null;

/**
 * What was given back in all, in whole units: the most, where several fields say it. Null: it is not said. Unreadable: something is said of it that is no
 * amount of ours.
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
