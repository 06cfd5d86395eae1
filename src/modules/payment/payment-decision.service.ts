import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { UseCaseContext } from '../../platform/events.ts';
import { transact } from '../../platform/transaction.ts';
import { type Actor, recordChange } from '../identity/index.ts';
import { Payment, type PaymentStatus } from './payment.entity.ts';
import { decisionRefused, paymentNotFound } from './payment.errors.ts';
import { recordDecision } from './payment-history.ts';
import { markRefunded } from './payment-settle.service.ts';
import { mayDecide } from './state-machine.ts';

/** What an operator decides about a payment; each with a reason, recorded and never edited. */
export const paymentDecisions = {
  /** The money has been given back, by hand or at the provider's: takes back the days that it opened, if it opened any. */
  refund: { to: 'refunded', action: 'refunded' },
  /** A person must look at it; the provider is asked on as long as the schedule says, since money that comes after all opens. */
  review: { to: 'review', action: 'reviewed' },
  /** It was looked at, and no money came. */
  close: { to: 'failed', action: 'closed' },
} as const satisfies Record<string, { to: PaymentStatus; action: string }>;
export type PaymentDecision = keyof typeof paymentDecisions;

/** Characters of a reason. */
export const longestReason = 300;

interface DecisionInput {
  /** The payment's id or its reference. */
  payment: number | string;
  decision: PaymentDecision;
  /** 1 to 300 characters. */
  reason: string;
}

/**
 * Writes an operator's decision into the payment's story and into the audit log, and what follows from it in the same transaction.
 * @throws AppError 404 for an unknown payment; 409 when its state does not allow the decision; 401 when the administrator has been disabled meanwhile
 */
export function decidePayment(
  em: EntityManager,
  context: UseCaseContext,
  { payment: key, decision, reason }: DecisionInput,
  actor: Actor,
): Promise<Payment> {
  const { to, action } = paymentDecisions[decision];
  return transact(em, context, async (tx) => {
    const where = typeof key === 'number' ? { id: key } : { reference: key };
    const payment = await tx.findOne(Payment, where, { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { id: 'asc' } });
    if (!payment) throw paymentNotFound();
    const from = payment.status;
    if (!mayDecide(from, to)) throw decisionRefused(decision, from);
    const at = context.clock.now();
    await recordDecision(tx, payment, { from, to, operator: actor.name, at, reason });
    if (to === 'refunded') {
      await markRefunded(tx, context, payment, { at, reason, operator: actor.name });
    } else {
      payment.status = to;
      if (to !== 'review') payment.nextCheckAt = null;
      payment.updatedAt = at;
      await tx.flush();
    }
    await recordChange(tx, context, actor, {
      ...{ action, subject: 'payment', subjectId: payment.id, label: payment.reference },
      before: { etat: from },
      after: { etat: to, reason },
    });
    return payment;
  });
}
