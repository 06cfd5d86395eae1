import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { UseCaseContext } from '../../platform/events.ts';
import { transact } from '../../platform/transaction.ts';
import { nextCheckAt, sameAttemptWithin, withPatience } from './check-schedule.ts';
import { Payment, type PaymentStatus } from './payment.entity.ts';
import { paymentNotFound } from './payment.errors.ts';
import { findPayment } from './payment.repository.ts';
import type { PaymentActor } from './payment-event.entity.ts';
import { recordTransition, recordVerification } from './payment-history.ts';
import type { Verification } from './provider.ts';
import type { PaymentProviders } from './providers.ts';
import { isOpen, isSettled, nextStatus, type SettlementStatus, settlementStatus } from './state-machine.ts';

declare module '../../platform/events.ts' {
  interface DomainEventMap {
    /** A payment has just become succeeded: exactly once a payment, in the transaction that says so. `amount` in whole XAF. */
    'payment.settled': { paymentId: number; userId: string; prepaId: number; prepaNom: string; amount: number; at: Date };
    /** An attempt in the provider's hands has come to nothing, and the learner has begun no other one. */
    'payment.failed': UnsettledPayment & { reason: 'failed' | 'cancelled' | 'expired' };
    /** Still without an outcome when its learner is no longer waiting for it: once a payment, when 10 minutes have passed. */
    'payment.late': UnsettledPayment;
  }
}

interface UnsettledPayment {
  paymentId: number;
  userId: string;
  /** Null once the prepa is gone. */
  prepaId: number | null;
  prepaNom: string;
  at: Date;
}

export interface Settlement {
  status: SettlementStatus;
  payment: Payment;
  /** What the provider answered just now; null when it was not asked. */
  answer: Verification['kind'] | null;
}

/**
 * The one way by which a payment changes state, for browser, notification, poller and operator: asks the provider outside any transaction,
 * then writes what follows under the row's lock. Idempotent: a payment that has succeeded is not asked about again.
 * @param key the payment's id or its reference
 * @throws AppError 404 for an unknown payment; Error inside a transaction
 */
export async function settlePayment(
  em: EntityManager,
  context: UseCaseContext,
  providers: PaymentProviders,
  key: number | string,
  actor: PaymentActor,
): Promise<Settlement> {
  if (em.isInTransaction()) throw new Error('settlePayment asks the provider: it must not hold a transaction open meanwhile');
  const known = await findPayment(em, key);
  if (!known) throw paymentNotFound();
  if (isSettled(known.status)) return { status: settlementStatus(known.status), payment: known, answer: null };

  const verification = await askProvider(providers, known);
  if (verification.kind === 'unknown')
    context.log.warn({ paymentId: known.id, provider: known.provider, cause: verification.cause }, 'provider gave no answer');
  const payment = await transact(em, context, (tx) => applyVerification(tx, context, known.id, verification, actor));
  return { status: settlementStatus(payment.status), payment, answer: verification.kind };
}

async function askProvider(providers: PaymentProviders, payment: Payment): Promise<Verification> {
  const provider = providers.get(payment.provider);
  if (!provider) return { kind: 'unknown', cause: 'provider not configured' };
  const { reference, amount, currency, providerTransactionId } = payment;
  try {
    const verification = await provider.verify({ reference, amount, currency, providerTransactionId: providerTransactionId ?? null });
    // Rule 6, whatever the adapter has compared already.
    const paidOurs = verification.kind !== 'succeeded' || (verification.amount === amount && verification.currency === currency);
    return paidOurs ? verification : { kind: 'mismatch', raw: verification.raw };
  } catch {
    return { kind: 'unknown', cause: 'adapter failed' };
  }
}

async function applyVerification(
  tx: EntityManager,
  context: UseCaseContext,
  id: number,
  verification: Verification,
  actor: PaymentActor,
): Promise<Payment> {
  // The row's lock: of twenty that asked at once, the first writes, the others find it written.
  const payment = await tx.findOneOrFail(Payment, id, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (isSettled(payment.status)) return payment;
  const at = context.clock.now();
  const from = payment.status;
  const seenBefore = payment.updatedAt;
  const { to, note } = judge(payment, verification, at);

  payment.checks += 1;
  payment.updatedAt = at;
  payment.status = to;
  payment.nextCheckAt = to === 'review' ? null : schedule(payment, verification, at);
  if (to === 'succeeded' && verification.kind === 'succeeded') {
    payment.settledAt = at;
    payment.nextCheckAt = null;
    payment.method = verification.method?.slice(0, 60) ?? payment.provider;
    payment.providerTransactionId = verification.providerTransactionId?.slice(0, 120) ?? payment.providerTransactionId;
  }
  await tx.flush();
  await recordVerification(tx, payment, verification, actor, at);
  await tellUnsettled(tx, context, payment, { from, seenBefore, answer: verification.kind });
  if (to === from) return payment;

  await recordTransition(tx, payment, { from, to, actor, at, note });
  context.log[to === 'review' ? 'warn' : 'info'](
    { paymentId: id, provider: payment.provider, from, to, actor, note },
    'payment changed state',
  );
  if (to === 'succeeded' && payment.prepa != null) {
    const { user: userId, prepa: prepaId, prepaNom, amount } = payment;
    await context.events.emit(tx, context, 'payment.settled', { paymentId: id, userId, prepaId, prepaNom, amount, at });
  }
  return payment;
}

/** Tells of a payment that has come to nothing, or takes long. @param seenBefore when it was looked at before this time */
async function tellUnsettled(
  tx: EntityManager,
  context: UseCaseContext,
  payment: Payment,
  { from, seenBefore, answer }: { from: PaymentStatus; seenBefore: Date; answer: Verification['kind'] },
): Promise<void> {
  const { id, user, prepa, prepaNom, status, updatedAt: at } = payment;
  const lateAt = payment.createdAt.getTime() + sameAttemptWithin;
  // What the provider has never seen, the learner has left before paying: nothing is late.
  const late = isOpen(status) && answer !== 'not_found' && at.getTime() >= lateAt && seenBefore.getTime() < lateAt;
  const reason = isOpen(from) && (status === 'failed' || status === 'cancelled' || status === 'expired') ? status : null;
  if (!late && !reason) return;
  if ((await tx.count(Payment, { user, prepa: prepa ?? null, id: { $gt: id } })) > 0) return;
  const unsettled = { paymentId: id, userId: user, prepaId: prepa ?? null, prepaNom, at };
  if (late) await context.events.emit(tx, context, 'payment.late', unsettled);
  if (reason) await context.events.emit(tx, context, 'payment.failed', { ...unsettled, reason });
}

/** The state that follows from the answer, and why when the answer alone does not say. */
function judge(payment: Payment, verification: Verification, now: Date): { to: PaymentStatus; note?: string } {
  const to = nextStatus(payment.status, verification.kind);
  // Money without anything to open for it: somebody has to give it back.
  if (to === 'succeeded' && payment.prepa == null) return { to: 'review', note: 'the prepa has been deleted' };
  if (to === 'review' && payment.status !== 'review') return { to, note: verification.kind };
  if (isOpen(to) && schedule(payment, verification, now) === null) return { to: 'review', note: 'no outcome after 72 h' };
  return { to };
}

function schedule(payment: Payment, verification: Verification, now: Date): Date | null {
  const silent = verification.kind === 'unknown';
  const asked = verification.kind === 'unknown' ? verification.retryAfterSeconds : undefined;
  return withPatience(nextCheckAt(payment.createdAt, now, { silent }), now, asked);
}
