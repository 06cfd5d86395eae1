import type { Attempt, Verification } from '../../contract/provider.ts';

type Answer = Record<string, unknown>;

/** Returns a field as text: the provider sends both numbers and strings. */
const word = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');

const isCompleted = (answer: Answer): boolean => word(answer.status) === '1' || word(answer.status_msg) === 'COMPLETED';

const isFailed = (answer: Answer): boolean => word(answer.status) === '-1' || ['FAILED', 'DECLINED'].includes(word(answer.status_msg));

/**
 * Reads a response without `error`, in the order of payment-providers §3. A completed payment with other values than ours is a
 * mismatch.
 */
export function readZitopayAnswer(answer: Answer, { amount, currency }: Attempt): Verification {
  if (isCompleted(answer)) {
    const paid = paidValue(answer);
    if (paid.amount !== amount || paid.currency !== currency) return { kind: 'mismatch', raw: answer };
    return { kind: 'succeeded', amount, currency, raw: answer };
  }
  if (isFailed(answer)) {
    const reason = word(answer.info).slice(0, 200);
    return { kind: 'failed', ...(reason ? { reason } : {}), raw: answer };
  }
  return { kind: 'pending', raw: answer };
}

/**
 * Returns the requested amount. If the payer was charged in another currency, it is in `original_*`; amount and currency are always
 * taken from the same pair.
 */
function paidValue(answer: Answer): { amount: number; currency: string } {
  const original = { amount: word(answer.original_amount), currency: word(answer.original_currency_code) };
  const charged = { amount: word(answer.amount), currency: word(answer.currency_code) };
  const { amount, currency } = original.amount || original.currency ? original : charged;
  return { amount: /^\d{1,12}(\.\d{1,6})?$/.test(amount) ? Number(amount) : Number.NaN, currency };
}
