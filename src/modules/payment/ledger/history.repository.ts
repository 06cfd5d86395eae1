import type { EntityManager } from '@mikro-orm/postgresql';
import type { Verification } from '../contract/provider.ts';
import { type PaymentActor, PaymentEvent } from './event.entity.ts';
import { PaymentNotification } from './notification.entity.ts';
import type { Payment, PaymentStatus } from './payment.entity.ts';
import { storableAnswer } from './storable-answer.ts';

/** The append-only story of a payment (payment-providers §6, rule 12), written inside the transaction that changes it. */

export async function recordCreation(
  tx: EntityManager,
  payment: { id: number; amount: number; currency: string },
  actor: PaymentActor,
  at: Date,
) {
  const detail = { amount: payment.amount, currency: payment.currency };
  await tx.insert(PaymentEvent, { payment: payment.id, type: 'created', actor, toStatus: 'created', detail, at });
}

interface Transition {
  from: PaymentStatus;
  to: PaymentStatus;
  actor: PaymentActor;
  /** Which one, when it is an operator. */
  operator?: string | undefined;
  at: Date;
  note?: string | undefined;
  /** What was given back with it, whole XAF. */
  returned?: number | undefined;
}

export async function recordTransition(
  tx: EntityManager,
  payment: { id: number },
  { from, to, actor, operator, at, note, returned }: Transition,
) {
  const detail = note === undefined ? null : { note };
  await tx.insert(PaymentEvent, {
    payment: payment.id,
    type: 'transition',
    actor,
    operator: operator ?? null,
    fromStatus: from,
    toStatus: to,
    returned: returned ?? null,
    detail,
    at,
  });
}

/** A part that the provider has given back: the state stays. @param returned now, whole XAF */
export async function recordPartReturned(
  tx: EntityManager,
  payment: { id: number },
  { actor, operator, at, returned }: Pick<Transition, 'actor' | 'operator' | 'at'> & { returned: number },
) {
  await tx.insert(PaymentEvent, { payment: payment.id, type: 'refund', actor, operator: operator ?? null, returned, at });
}

/** What an operator has decided, and why; the transition it leads to is the same event. */
export async function recordDecision(
  tx: EntityManager,
  payment: { id: number },
  { from, to, operator, at, reason, returned }: Omit<Transition, 'actor' | 'note' | 'operator'> & { operator: string; reason: string },
) {
  await tx.insert(PaymentEvent, {
    payment: payment.id,
    type: 'decision',
    actor: 'operator',
    operator,
    fromStatus: from,
    toStatus: to,
    returned: returned ?? null,
    detail: { reason },
    at,
  });
}

/**
 * An answer that says the same as the one before is counted in `checks` and not written again, so that nobody fills the table by asking;
 * an operator's question is always written.
 * @returns whether it says something else than the one before
 */
export async function recordVerification(
  tx: EntityManager,
  payment: Payment,
  verification: Verification,
  { actor, operator, at }: Pick<Transition, 'actor' | 'operator' | 'at'>,
): Promise<boolean> {
  const last = await lastAnswer(tx, payment.id);
  const isNews = last?.kind !== verification.kind || (last.returned ?? null) !== returnedOf(verification);
  if (actor !== 'operator' && !isNews) return false;
  const detail = describe(verification, [payment.reference, String(payment.amount)]);
  await tx.insert(PaymentEvent, { payment: payment.id, type: 'verification', actor, operator: operator ?? null, detail, at });
  return isNews;
}

/** Whether the provider has never known of the payment: it answered neither the start nor any question since, or said that it has no such payment. */
export async function isUnheardOf(tx: EntityManager, { id, providerTransactionId }: Payment): Promise<boolean> {
  if (providerTransactionId != null) return false;
  const known = { payment: id, type: 'verification', detail: { kind: { $nin: ['not_found', 'unknown'] } } };
  if ((await tx.count(PaymentEvent, known)) > 0) return false;
  // Only the provider signs: it has known of the payment, whatever it answers.
  return (await tx.count(PaymentNotification, { payment: id, signed: true })) === 0;
}

async function lastAnswer(tx: EntityManager, paymentId: number) {
  const last = await tx.findOne(PaymentEvent, { payment: paymentId, type: 'verification' }, { orderBy: { id: 'desc' } });
  return last?.detail;
}

const returnedOf = (verification: Verification): number | null => (verification.kind === 'partly_refunded' ? verification.returned : null);

function describe(verification: Verification, kept: string[]): Record<string, unknown> {
  if (verification.kind === 'unknown') return { kind: 'unknown', cause: storableAnswer(verification.cause, kept) };
  const { kind, raw } = verification;
  const reason = 'reason' in verification ? { reason: storableAnswer(verification.reason, kept) } : {};
  const taken = kind === 'succeeded' ? verification : kind === 'partly_refunded' ? verification.taken : null;
  const paid = taken ? { amount: taken.amount, currency: taken.currency } : {};
  const returned = kind === 'partly_refunded' ? { returned: verification.returned } : {};
  return { kind, ...paid, ...returned, ...reason, answer: storableAnswer(raw, kept) };
}
