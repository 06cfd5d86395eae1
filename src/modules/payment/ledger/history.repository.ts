import type { EntityManager } from '@mikro-orm/postgresql';
import type { Verification } from '../contract/provider.ts';
import { type PaymentActor, PaymentEvent } from './event.entity.ts';
import { PaymentNotification } from './notification.entity.ts';
import type { Payment, PaymentStatus } from './payment.entity.ts';
import { storableAnswer } from './storable-answer.ts';

/** The append-only history of a payment (payment-providers §6, rule 12), written inside the transaction that changes the payment. */

/** Cause and time of an entry. */
export interface Cause {
  actor: PaymentActor;
  /** The operator, when `actor` is 'operator'. */
  operator?: string | undefined;
  at: Date;
}

interface Change extends Cause {
  from?: PaymentStatus;
  to: PaymentStatus;
  /** Amount refunded with the change, in whole XAF. */
  returned?: number | undefined;
}

async function record(
  tx: EntityManager,
  { id }: { id: number },
  type: string,
  { actor, operator, at, from, to, returned }: Cause & Partial<Change>,
  detail: Record<string, unknown> | null,
): Promise<void> {
  const change = { fromStatus: from ?? null, toStatus: to ?? null, returned: returned ?? null };
  await tx.insert(PaymentEvent, { payment: id, type, actor, operator: operator ?? null, ...change, detail, at });
}

export const recordCreation = (tx: EntityManager, payment: Payment, actor: PaymentActor, at: Date) =>
  record(tx, payment, 'created', { actor, to: 'created', at }, { amount: payment.amount, currency: payment.currency });

export const recordTransition = (tx: EntityManager, payment: { id: number }, { note, ...change }: Change & { note?: string | undefined }) =>
  record(tx, payment, 'transition', change, note === undefined ? null : { note });

/** Records a partial refund reported by the provider; the state stays. @param cause.returned amount of this part, in whole XAF */
export const recordPartReturned = (tx: EntityManager, payment: { id: number }, cause: Cause & { returned: number }) =>
  record(tx, payment, 'refund', cause, null);

/** Records an operator's decision with its reason. The resulting transition is part of the same event. */
export const recordDecision = (
  tx: EntityManager,
  payment: { id: number },
  { reason, ...change }: Omit<Change, 'actor'> & { reason: string },
) => record(tx, payment, 'decision', { ...change, actor: 'operator' }, { reason });

/**
 * Records a provider's answer. An answer equal to the last one only increments `checks`, so that repeated checks cannot fill the
 * table; an operator's check is always recorded.
 * @returns whether the answer differs from the last one
 */
export async function recordVerification(tx: EntityManager, payment: Payment, verification: Verification, cause: Cause): Promise<boolean> {
  const last = await lastAnswer(tx, payment.id);
  const isNews = last?.kind !== verification.kind || (last.returned ?? null) !== returnedOf(verification);
  if (cause.actor !== 'operator' && !isNews) return false;
  await record(tx, payment, 'verification', cause, describe(verification, [payment.reference, String(payment.amount)]));
  return isNews;
}

/** Returns whether the provider has never known the payment: neither the start nor any check got an answer other than 'not found'. */
export async function isUnheardOf(tx: EntityManager, { id, providerTransactionId }: Payment): Promise<boolean> {
  if (providerTransactionId != null) return false;
  const known = { payment: id, type: 'verification', detail: { kind: { $nin: ['not_found', 'unknown'] } } };
  if ((await tx.count(PaymentEvent, known)) > 0) return false;
  // Only the provider can sign: a signed notification proves that it knows the payment.
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
