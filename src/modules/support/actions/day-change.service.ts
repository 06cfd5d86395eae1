import type { EntityManager } from '@mikro-orm/postgresql';
import { AppError, notFound } from '../../../platform/errors.ts';
import type { UseCaseContext } from '../../../platform/use-cases/events.ts';
import { transact } from '../../../platform/use-cases/transaction.ts';
import { type Enrolment, grantInTransaction, withdrawInTransaction } from '../../enrolment/index.ts';
import { type Actor, User } from '../../identity/index.ts';
import { Payment } from '../../payment/index.ts';

interface DayChangeInput {
  paymentId: number;
  change: 'grant' | 'withdraw';
  /** 1 to 366. */
  days: number;
  /** 1 to 300 characters. */
  reason: string;
  /** Id of the newest row of the history of days that the operator has seen; 0 without any. */
  seen: number;
}

/**
 * Adds days to the access that a payment opened, or withdraws days from it.
 * The history of days must not have changed since the operator's page was rendered. A form that is sent twice therefore changes the days
 * only once, even from the pages of two payments.
 * @throws AppError 404 for an unknown payment; 409 when the prepa was deleted, the days have changed, or no days are left to withdraw
 */
export function changeDays(em: EntityManager, context: UseCaseContext, input: DayChangeInput, actor: Actor): Promise<Enrolment> {
  const { paymentId, change, days, reason, seen } = input;
  return transact(em, context, async (tx) => {
    const payment = await tx.findOne(Payment, paymentId);
    if (!payment) throw notFound("Ce paiement n'existe pas.");
    const { user, prepa: prepaId } = payment;
    if (prepaId == null) throw new AppError('PREPA.NOT_FOUND', 409, "La préparation n'existe plus : il n'y a pas d'accès à changer.");
    const { email } = await tx.findOneOrFail(User, user);
    return (change === 'grant' ? grantInTransaction : withdrawInTransaction)(tx, context, { email, prepaId, days, reason, seen }, actor);
  });
}
