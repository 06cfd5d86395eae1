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

/** What an operator decides about a payment; each with a reason, recorded and never edited. */
const paymentDecisions = {
  /** Money has been given back, by hand or at the provider's. When nothing is left of it, the days that it opened are taken back, if it opened any. */
  refund: { to: 'refunded', action: 'refunded' },
  /** A person must look at it; the provider is asked on as long as the schedule says, since money that comes after all opens. */
  review: { to: 'review', action: 'reviewed' },
  /** It was looked at, and no money came. */
  close: { to: 'failed', action: 'closed' },
  /** A part was given back at the provider's, and somebody has looked at it: the access stays as it is. */
  acknowledge: { to: 'succeeded', action: 'acknowledged' },
} as const satisfies Record<string, { to: PaymentStatus; action: string }>;
export type PaymentDecision = keyof typeof paymentDecisions;

/** Characters of a reason. */
export const maxReasonLength = 300;

interface DecisionInput {
  /** The payment's id or its reference. */
  payment: number | string;
  decision: PaymentDecision;
  /** 1 to 300 characters. */
  reason: string;
  /** Of a refund: what was given back now, in whole XAF; all that is left without it. */
  amount?: number | undefined;
  /** Of a page, for a refund or an acknowledgement: what it showed as given back so far, in whole XAF, so that two clicks give back once. */
  seen?: number | undefined;
}

/**
 * Writes an operator's decision into the payment's story and into the audit log, and what follows from it in the same transaction.
 * @throws AppError 404 for an unknown payment; 409 when its state does not allow the decision, or when more was given back than was `seen`; 400 for an amount that it does not have; 401 when the
 * administrator has been disabled meanwhile; WrongClockError
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

/** What is given back now: money under review was never booked, so that a part of it has no place in the books. */
function returnedNow({ status, amount: price, refundedAmount }: Payment, amount = price - refundedAmount): number {
  const left = price - refundedAmount;
  if (!Number.isInteger(amount) || amount < 1 || amount > left) throw refundTooMuch(left);
  if (amount < left && status !== 'succeeded') throw partOfReview();
  return amount;
}
