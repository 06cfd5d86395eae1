import type { Knobs } from './knobs.ts';
import type { Payment } from './payments.ts';

/** Presents payments in the forms that the provider's pages document (payment-providers.md §4). Knobs choose the form. */

/** Returns the transaction as verifications report it. */
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

/** Returns the refunded amount, in the field that the knobs name. */
function returned({ status, amount, paid }: Payment, { returnedField }: Knobs): Record<string, unknown> {
  if (returnedField === 'none' || (status !== 'refunded' && status !== 'partialy-refunded')) return {};
  const back = amount - paid;
  return { [returnedField]: returnedField === 'refunds' ? [{ amount: back, status: 'complete' }] : back };
}

/** The provider's fee in percent. The rate, and that the payer pays the fee, are unconfirmed (docs/payment-providers.md). */
const FEE_PERCENT = 2;

function statement({ amount, paid, decidedAt }: Payment, { statementFields }: Knobs): Record<string, unknown> {
  if (!statementFields || paid === 0 || decidedAt === null) return {};
  const fee = Math.round((amount * FEE_PERCENT) / 100);
  return { fee, amount_total: amount + fee, payment_method: 'cm.mtn', completed_at: new Date(decidedAt).toISOString() };
}

/** Wraps a transaction, or only the provider's reference, in the field that the knobs name. */
export function enveloped(transaction: Record<string, unknown> | string, { envelope }: Knobs): Record<string, unknown> {
  return envelope === 'nested' ? { data: { transaction } } : { [envelope]: transaction };
}

export const presentCode = (code: number, { codeType }: Knobs): number | string => (codeType === 'string' ? String(code) : code);
