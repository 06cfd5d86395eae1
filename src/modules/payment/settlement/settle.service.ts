import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { requireRightClock } from '../../../platform/use-cases/clock-check.ts';
import type { UseCaseContext } from '../../../platform/use-cases/events.ts';
import { transact } from '../../../platform/use-cases/transaction.ts';
import type { Taken, Verification } from '../contract/provider.ts';
import { type Refusal, readRefusal } from '../contract/refusal.ts';
import type { PaymentActor } from '../ledger/event.entity.ts';
import { type Cause, isUnheardOf, recordTransition, recordVerification } from '../ledger/history.repository.ts';
import { transitions, verifications } from '../ledger/payment.counters.ts';
import { Payment, type PaymentStatus } from '../ledger/payment.entity.ts';
import { paymentNotFound } from '../ledger/payment.errors.ts';
import { findPayment } from '../ledger/payment.repository.ts';
import { isOpen, isSettled, nextStatus, type SettlementStatus, settlementStatus } from '../ledger/state-machine.ts';
import type { PaymentProviders } from '../providers/provider.registry.ts';
import { nextCheckAt, nextRefundCheckAt, sameAttemptWithin, withRetryAfter } from './check-schedule.ts';
import { questionsTo } from './questions.ts';
import { applyRefundCheck, bookReturned } from './refund.service.ts';

export interface Settlement {
  status: SettlementStatus;
  payment: Payment;
  /** The provider's answer of this call; null when no request was sent. */
  answer: Verification['kind'] | null;
}

/**
 * The only function that changes a payment's state, for browser, notification, reconciliation and operator. Asks the provider outside
 * any transaction, then writes the result under the row's lock.
 * Idempotent: a succeeded payment is only checked for refunds, and only for causes that may discover one.
 * @param key the payment's id or its reference
 * @param operator the operator's name, when `actor` is 'operator'
 * @throws AppError 404 for an unknown payment; WrongClockError, without any change to the payment; Error inside a transaction
 */
export async function settlePayment(
  em: EntityManager,
  context: UseCaseContext,
  providers: PaymentProviders,
  key: number | string,
  actor: PaymentActor,
  operator?: string,
): Promise<Settlement> {
  if (em.isInTransaction()) throw new Error('settlePayment asks the provider: it must not hold a transaction open meanwhile');
  const known = await findPayment(em, key);
  if (!known) throw paymentNotFound();
  const reportsRefunds = providers.get(known.provider)?.reportsRefunds ?? false;
  const over = known.status === 'succeeded' ? !(reportsRefunds && looksForRefunds(actor)) : known.status === 'refunded';
  // Clear the schedule when a provider no longer reports refunds; otherwise the payment would be claimed again and again.
  if (over && known.nextCheckAt && !reportsRefunds) await em.fork().nativeUpdate(Payment, { id: known.id }, { nextCheckAt: null });
  if (over) return { status: settlementStatus(known.status), payment: known, answer: null };

  const question = async () => {
    const answer = await askProvider(providers, known);
    verifications.inc({ provider: known.provider, answer: answer.kind });
    return answer;
  };
  const questions = questionsTo(providers);
  const answered = await questions.ask(known.id, question, !looksForRefunds(actor));
  const { verification } = answered;
  if (verification.kind === 'unknown')
    context.log.warn({ paymentId: known.id, provider: known.provider, cause: verification.cause }, 'provider gave no answer');
  const cause = { actor, operator, reportsRefunds };
  const payment = await transact(em, context, (tx) => applyVerification(tx, context, known.id, verification, cause));
  questions.written(known.id, answered);
  return { status: settlementStatus(payment.status), payment, answer: verification.kind };
}

/** Returns whether this cause also checks for refunds. Learners and returning browsers wait only for a success. */
const looksForRefunds = (actor: PaymentActor): boolean => actor !== 'learner' && actor !== 'browser-return';

async function askProvider(providers: PaymentProviders, payment: Payment): Promise<Verification> {
  const provider = providers.get(payment.provider);
  if (!provider) return { kind: 'unknown', cause: 'provider not configured' };
  const { reference, amount, currency, providerTransactionId } = payment;
  try {
    const verification = await provider.verify({ reference, amount, currency, providerTransactionId: providerTransactionId ?? null });
    // Rule 6: compare again, even if the adapter already has.
    const taken = takenOf(verification);
    if (!taken || (taken.amount === amount && taken.currency === currency)) return verification;
    const { raw } = verification as { raw: unknown };
    return verification.kind === 'partly_refunded' ? { ...verification, taken: null, returned: null } : { kind: 'mismatch', raw };
  } catch {
    return { kind: 'unknown', cause: 'adapter failed' };
  }
}

/** Returns the money taken according to an answer, partly refunded or not. */
function takenOf(verification: Verification): Taken | null {
  if (verification.kind === 'partly_refunded') return verification.taken;
  return verification.kind === 'succeeded' ? verification : null;
}

async function applyVerification(
  tx: EntityManager,
  context: UseCaseContext,
  id: number,
  verification: Verification,
  { reportsRefunds, ...by }: Omit<Cause, 'at'> & { reportsRefunds: boolean },
): Promise<Payment> {
  await requireRightClock(tx);
  // Row lock: of twenty concurrent checks the first one writes, and the others see its result.
  const payment = await tx.findOneOrFail(Payment, id, { lockMode: LockMode.PESSIMISTIC_WRITE });
  const at = context.clock.now();
  const cause = { ...by, at };
  if (payment.status === 'succeeded' && reportsRefunds) return applyRefundCheck(tx, context, payment, verification, cause);
  if (isSettled(payment.status)) return payment;
  const from = payment.status;
  const seenBefore = payment.updatedAt;
  const ends = verification.kind === 'not_found' && schedule(payment, verification, at) === null;
  const neverSeen = ends && (await isUnheardOf(tx, payment));
  const { to, note } = judge(payment, verification, at, neverSeen);

  payment.checks += 1;
  payment.updatedAt = at;
  payment.status = to;
  if (to !== from) payment.refusal = refusalOf(verification);
  // A payment under review leaves the schedule, unless an operator put it under review while it was open.
  const rests = to === 'review' && (from !== 'review' || payment.nextCheckAt == null);
  payment.nextCheckAt = rests ? null : schedule(payment, verification, at);
  const taken = takenOf(verification);
  if (to === 'succeeded' && taken) {
    payment.settledAt = at;
    payment.nextCheckAt = reportsRefunds ? nextRefundCheckAt(at, at) : null;
    payment.payerPhoneLast = lastDigits(taken.payerPhone) ?? payment.payerPhoneLast ?? null;
    payment.method = taken.method?.slice(0, 60) ?? payment.provider;
    payment.providerTransactionId = taken.providerTransactionId?.slice(0, 120) ?? payment.providerTransactionId;
    const { fee = null, amountCharged = null, completedAt = null } = taken.statement ?? {};
    Object.assign(payment, { providerFee: fee, amountCharged, completedAt });
  }
  await tx.flush();
  await recordVerification(tx, payment, verification, cause);
  await emitUnsettled(tx, context, payment, { from, seenBefore, answer: verification.kind });
  if (to === from) return payment;

  await recordTransition(tx, payment, { from, to, note, ...cause });
  transitions.inc({ provider: payment.provider, to });
  context.log[to === 'review' ? 'warn' : 'info'](
    {
      ...(note === 'mismatch' || note === 'sandbox' ? { alert: note } : {}),
      paymentId: id,
      provider: payment.provider,
      from,
      to,
      actor: by.actor,
      note,
    },
    'payment changed state',
  );
  if (to === 'succeeded' && payment.prepa != null) {
    const { user: userId, prepa: prepaId, prepaNom, amount } = payment;
    await context.events.emit(tx, context, 'payment.settled', { paymentId: id, userId, prepaId, prepaNom, amount, at });
    await bookReturned(tx, context, payment, verification, { ...cause, isNews: true });
  }
  return payment;
}

const refusalOf = (verification: Verification): Refusal | null =>
  verification.kind === 'failed' || verification.kind === 'cancelled' || verification.kind === 'expired'
    ? readRefusal(verification.reason)
    : null;

/** Returns the last four digits of a telephone number; support needs no more. */
function lastDigits(phone: string | undefined): string | null {
  const digits = phone?.replaceAll(/\D/g, '') ?? '';
  return digits.length >= 4 ? digits.slice(-4) : null;
}

/** Emits that a payment has failed or is late. @param seenBefore time of the previous check */
async function emitUnsettled(
  tx: EntityManager,
  context: UseCaseContext,
  payment: Payment,
  { from, seenBefore, answer }: { from: PaymentStatus; seenBefore: Date; answer: Verification['kind'] },
): Promise<void> {
  const { id, user, prepa, prepaNom, status, updatedAt: at } = payment;
  const lateAt = payment.createdAt.getTime() + sameAttemptWithin;
  // The provider never saw the payment, so the learner left before paying: it is neither late nor failed.
  const late = isOpen(status) && answer !== 'not_found' && at.getTime() >= lateAt && seenBefore.getTime() < lateAt;
  const reason =
    answer !== 'not_found' && isOpen(from) && (status === 'failed' || status === 'cancelled' || status === 'expired') ? status : null;
  if (!late && !reason) return;
  if ((await tx.count(Payment, { user, prepa: prepa ?? null, id: { $gt: id } })) > 0) return;
  const unsettled = { paymentId: id, userId: user, prepaId: prepa ?? null, prepaNom, at };
  if (late) await context.events.emit(tx, context, 'payment.late', unsettled);
  if (reason) await context.events.emit(tx, context, 'payment.failed', { ...unsettled, reason });
}

/**
 * Returns the state after the answer, with a note when the answer alone does not explain it. @param neverSeen whether the provider
 * has never known the payment
 */
function judge(payment: Payment, verification: Verification, now: Date, neverSeen: boolean): { to: PaymentStatus; note?: string } {
  const kind = verification.kind === 'partly_refunded' && !verification.taken ? 'mismatch' : verification.kind;
  const to = nextStatus(payment.status, kind);
  // Paid, but the prepa no longer exists: the money must be refunded manually.
  if (to === 'succeeded' && payment.prepa == null) return { to: 'review', note: 'the prepa has been deleted' };
  if (to === 'review' && payment.status !== 'review') return { to, note: kind };
  if (!isOpen(to) || schedule(payment, verification, now) !== null) return { to };
  return neverSeen ? { to: 'expired', note: 'never seen by the provider' } : { to: 'review', note: 'no outcome after 72 h' };
}

function schedule(payment: Payment, verification: Verification, now: Date): Date | null {
  const silent = verification.kind === 'unknown';
  const asked = verification.kind === 'unknown' ? verification.retryAfterSeconds : undefined;
  return withRetryAfter(nextCheckAt(payment.createdAt, now, { silent }), now, asked);
}
