import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { requireRightClock } from '../../../platform/use-cases/clock-check.ts';
import type { UseCaseContext } from '../../../platform/use-cases/events.ts';
import { transact } from '../../../platform/use-cases/transaction.ts';
import { type Actor, recordChange } from '../../identity/index.ts';
import { recordDecision } from '../ledger/history.repository.ts';
import { Payment, type PaymentStatus } from '../ledger/payment.entity.ts';
import { decisionRefused, partOfReview, paymentNotFound, refundTooMuch, returnedMeanwhile } from '../ledger/payment.errors.ts';
import { mayDecide } from '../ledger/state-machine.ts';
import { giveBack } from './refund.service.ts';

/** An operator's decisions about a payment; each has a reason, which is recorded and never edited. */
const paymentDecisions = {
  /** Money was refunded, manually or at the provider. Once the entire amount is refunded, the days of the payment are reversed. */
  refund: { to: 'refunded', action: 'refunded' },
  /** An administrator must review the payment. The provider is still asked on schedule, since a late success opens the access. */
  review: { to: 'review', action: 'reviewed' },
  /** Reviewed: no money was received. */
  close: { to: 'failed', action: 'closed' },
  /** A partial refund at the provider was reviewed: the access stays as it is. */
  acknowledge: { to: 'succeeded', action: 'acknowledged' },
} as const satisfies Record<string, { to: PaymentStatus; action: string }>;
export type PaymentDecision = keyof typeof paymentDecisions;

export const maxReasonLength = 300;

interface DecisionInput {
  /** The payment's id or its reference. */
  payment: number | string;
  decision: PaymentDecision;
  /** 1 to 300 characters. */
  reason: string;
  /** Amount of a refund, in whole XAF; by default, all of the payment that is not refunded yet. */
  amount?: number | undefined;
  /**
   * For a refund or acknowledgement from a page: the total refunded that the page showed, in whole XAF, so that a double click
   * refunds only once.
   */
  seen?: number | undefined;
}

/**
 * Records an operator's decision in the payment's history and in the audit log, and applies it in the same transaction.
 * @throws AppError 404 for an unknown payment; 409 when its state does not allow the decision, or when more was refunded than `seen`;
 * 400 for an invalid amount; 401 when the administrator was disabled meanwhile; WrongClockError
 */
export function decidePayment(
  em: EntityManager,
  context: UseCaseContext,
  { payment: key, decision, reason, amount, seen }: DecisionInput,
  actor: Actor,
): Promise<Payment> {
  const { to, action } = paymentDecisions[decision];
  return transact(em, context, async (tx) => {
    await requireRightClock(tx);
    const where = typeof key === 'number' ? { id: key } : { reference: key };
    const payment = await tx.findOne(Payment, where, { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { id: 'asc' } });
    if (!payment) throw paymentNotFound();
    const from = payment.status;
    const may = decision === 'acknowledge' ? payment.needsLook : mayDecide(from, to);
    if (!may) throw decisionRefused(decision, from);
    if (seen !== undefined && seen !== payment.refundedAmount) throw returnedMeanwhile(payment.refundedAmount);
    const at = context.clock.now();
    const returned = decision === 'refund' ? returnedNow(payment, amount) : undefined;
    if (returned !== undefined) {
      payment.needsLook = false;
      await giveBack(tx, context, payment, { returned, at, reason, operator: actor.name });
    } else {
      payment.status = to;
      if (decision === 'acknowledge') payment.needsLook = false;
      if (to === 'failed') payment.nextCheckAt = null;
      payment.updatedAt = at;
      await tx.flush();
    }
    await recordDecision(tx, payment, { from, to: payment.status, operator: actor.name, at, reason, returned });
    await recordChange(tx, context, actor, {
      action,
      subject: 'payment',
      subjectId: payment.id,
      label: payment.reference,
      before: { etat: from },
      after: { etat: payment.status, ...(returned === undefined ? {} : { rendu: returned }), reason },
    });
    return payment;
  });
}

/** Returns the amount refunded now. A payment under review was never booked, so it can only be refunded entirely. */
function returnedNow({ status, amount: price, refundedAmount }: Payment, amount = price - refundedAmount): number {
  const left = price - refundedAmount;
  if (!Number.isInteger(amount) || amount < 1 || amount > left) throw refundTooMuch(left);
  if (amount < left && status !== 'succeeded') throw partOfReview();
  return amount;
}
