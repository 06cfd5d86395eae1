import type { EntityManager } from '@mikro-orm/postgresql';
import type { UseCaseContext } from '../../../platform/use-cases/events.ts';
import type { Verification } from '../contract/provider.ts';
import { type Cause, recordPartReturned, recordTransition, recordVerification } from '../ledger/history.repository.ts';
import { transitions } from '../ledger/payment.counters.ts';
import type { Payment } from '../ledger/payment.entity.ts';
import { nextRefundCheckAt } from './check-schedule.ts';

// Refunds, in one part or in several. A partial refund leaves the access open; a full refund reverses the days of the payment.

/** Handles an answer about a succeeded payment. Only refunds count. The caller holds the row's lock. */
export async function applyRefundCheck(
  tx: EntityManager,
  context: UseCaseContext,
  payment: Payment,
  verification: Verification,
  cause: Cause,
): Promise<Payment> {
  const { at } = cause;
  payment.checks += 1;
  payment.nextCheckAt = nextRefundCheckAt(payment.settledAt ?? at, at);
  const isNews = await recordVerification(tx, payment, verification, cause);
  await bookReturned(tx, context, payment, verification, { ...cause, isNews });
  await tx.flush();
  return payment;
}

/**
 * Books the refund that the provider reports for a succeeded payment.
 * The provider reports a total: amounts already recorded, by whomever, are included in it, and a smaller total changes nothing. A
 * partial refund marks the payment for review by an administrator.
 * @param cause.isNews whether the answer differs from the last one
 */
export async function bookReturned(
  tx: EntityManager,
  context: UseCaseContext,
  payment: Payment,
  verification: Verification,
  { actor, operator, at, isNews }: Cause & { isNews: boolean },
): Promise<void> {
  if (verification.kind !== 'refunded' && verification.kind !== 'partly_refunded') return;
  const total = verification.kind === 'partly_refunded' ? verification.returned : payment.amount;
  const returned = total === null ? 0 : Math.min(total, payment.amount) - payment.refundedAmount;
  if (returned > 0) {
    const said = verification.kind === 'refunded' ? verification.reason?.slice(0, 200) : undefined;
    const part = payment.refundedAmount + returned < payment.amount;
    const reason = said || (part ? 'le prestataire a rendu une partie de la somme' : 'le prestataire a rendu la somme');
    await giveBack(tx, context, payment, { returned, at, reason, operator: null });
    if (part) await recordPartReturned(tx, payment, { actor, operator, at, returned });
    else await recordTransition(tx, payment, { from: 'succeeded', to: 'refunded', actor, operator, at, returned });
  }
  if (payment.status === 'refunded' || (returned <= 0 && !(isNews && total === null))) return;
  payment.needsLook = true;
  await tx.flush();
  const { id: paymentId, provider, refundedAmount } = payment;
  context.log.warn({ alert: 'partial-refund', paymentId, provider, returned: total, refundedAmount }, 'a part of a payment was given back');
}

interface Returned {
  /** Amount refunded now, in whole XAF: at least 1, at most what is left. */
  returned: number;
  at: Date;
  reason: string;
  operator: string | null;
}

/** Updates the row and emits the events for other modules. The caller holds the row's lock and writes the entry of the history. */
export async function giveBack(
  tx: EntityManager,
  context: UseCaseContext,
  payment: Payment,
  { returned, at, reason, operator }: Returned,
): Promise<void> {
  const from = payment.status;
  const refundedAmount = payment.refundedAmount + returned;
  if (returned < 1 || refundedAmount > payment.amount) throw new Error(`${returned} of payment ${payment.id} cannot be given back`);
  payment.refundedAmount = refundedAmount;
  payment.updatedAt = at;
  const { id: paymentId, user: userId, prepaNom, amount, provider } = payment;
  const refund = { paymentId, userId, prepaId: payment.prepa ?? null, prepaNom, reason, operator, at };
  if (refundedAmount < amount) {
    await tx.flush();
    await context.events.emit(tx, context, 'payment.partly-refunded', { ...refund, amount: returned });
    return;
  }
  Object.assign(payment, { status: 'refunded', nextCheckAt: null, needsLook: false });
  await tx.flush();
  transitions.inc({ provider, to: 'refunded' });
  context.log.info({ paymentId, provider, from, to: 'refunded' }, 'payment changed state');
  await context.events.emit(tx, context, 'payment.refunded', { ...refund, amount });
}
