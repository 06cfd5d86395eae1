import type { Knobs } from './knobs.ts';
import type { Payment } from './payments.ts';

/** The forms in which the provider's pages show a payment (payment-providers.md §4): which one, the knobs say. */

/** The transaction, with what verification claims of it. */
export function presentTransaction(payment: Payment, knobs: Knobs): Record<string, unknown> {
  return {
    ...references(payment, knobs.ownReferenceField),
    amount: knobs.tamperedAmount ?? payment.amount,
    currency: knobs.tamperedCurrency ?? payment.currency,
    status: knobs.statusWord ?? (payment.status === 'partialy-refunded' ? knobs.partWord : payment.status),
    ...returned(payment, knobs),
    sandbox: knobs.sandbox,
    ...statement(payment, knobs),
    customer: { email: payment.email, phone: payment.phone ?? (payment.decidedAt === null ? null : knobs.payerPhone) },
  };
}

function references({ ref, transactionReference }: Payment, field: Knobs['ownReferenceField']): Record<string, string> {
  return field === 'reference' ? { id: transactionReference, reference: ref } : { reference: transactionReference, [field]: ref };
}

/** What was given back, in all. */
function returned({ status, amount, paid }: Payment, { returnedField }: Knobs): Record<string, unknown> {
  if (returnedField === 'none' || (status !== 'refunded' && status !== 'partialy-refunded')) return {};
  const back = amount - paid;
  return { [returnedField]: returnedField === 'refunds' ? [{ amount: back, status: 'complete' }] : back };
}

/** What the provider takes, in parts of a hundred; assumed [?], like the payer's paying it. */
const FEE_PERCENT = 2;

function statement({ amount, paid, decidedAt }: Payment, { statementFields }: Knobs): Record<string, unknown> {
  if (!statementFields || paid === 0 || decidedAt === null) return {};
  const fee = Math.round((amount * FEE_PERCENT) / 100);
  return { fee, amount_total: amount + fee, payment_method: 'cm.mtn', completed_at: new Date(decidedAt).toISOString() };
}

/** A transaction, or their reference alone, under the name that the knobs choose. */
export function enveloped(transaction: Record<string, unknown> | string, { envelope }: Knobs): Record<string, unknown> {
  return envelope === 'nested' ? { data: { transaction } } : { [envelope]: transaction };
}

export const presentCode = (code: number, { codeType }: Knobs): number | string => (codeType === 'string' ? String(code) : code);
