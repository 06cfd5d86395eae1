import type { Attempt, Statement, Taken } from '../provider.ts';
import { isJsonObject, type JsonObject } from './bounded-json.ts';
import { theirReference, word } from './notchpay-transaction.ts';
import { readReference } from './posted-fields.ts';

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
/** A refund of the list that has been made; one without a word has been, too. */
const made = ['', 'complete', 'completed', 'succeeded', 'success', 'refunded'];

/** What was given back in all, in whole units; null: it is not said. The most, where several fields say it. */
export function readReturned(transaction: JsonObject): number | null {
  const { refund, refunds } = transaction;
  const listed = (Array.isArray(refunds) ? refunds : [])
    .filter(isJsonObject)
    .filter(({ status }) => made.includes(word(status).toLowerCase()))
    .map(({ amount }) => whole(amount) ?? 0)
    .reduce((sum, amount) => sum + amount, 0);
  const said = [...returnedFields.map((field) => transaction[field]), isJsonObject(refund) ? refund.amount : null, listed || null]
    .map(whole)
    .filter((amount) => amount !== null);
  return said.length === 0 ? null : Math.max(...said);
}
