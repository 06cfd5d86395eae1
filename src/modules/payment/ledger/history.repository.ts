import type { EntityManager } from '@mikro-orm/postgresql';
import type { Verification } from '../contract/provider.ts';
import { type PaymentActor, PaymentEvent } from './event.entity.ts';
import { PaymentNotification } from './notification.entity.ts';
import type { Payment, PaymentStatus } from './payment.entity.ts';
import { storableAnswer } from './storable-answer.ts';

/** The append-only story of a payment (payment-providers §6, rule 12), written inside the transaction that changes it. */

/** Who causes an entry, and when. */
export interface Cause {
  actor: PaymentActor;
  /** Which one, when it is an operator. */
  operator?: string | undefined;
  at: Date;
}

interface Change extends Cause {
  from?: PaymentStatus;
  to: PaymentStatus;
  /** What was given back with it, whole XAF. */
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

/** A part that the provider has given back: the state stays. @param cause.returned now, whole XAF */
export const recordPartReturned = (tx: EntityManager, payment: { id: number }, cause: Cause & { returned: number }) =>
  record(tx, payment, 'refund', cause, null);

/** What an operator has decided, and why; the transition it leads to is the same event. */
export const recordDecision = (
  tx: EntityManager,
  payment: { id: number },
  { reason, ...change }: Omit<Change, 'actor'> & { reason: string },
) => record(tx, payment, 'decision', { ...change, actor: 'operator' }, { reason });

/**
 * An answer that says the same as the one before is counted in `checks` and not written again, so that nobody fills the table by asking;
 * an operator's question is always written.
 * @returns whether it says something else than the one before
 */
export async function recordVerification(tx: EntityManager, payment: Payment, verification: Verification, cause: Cause): Promise<boolean> {
  const last = await lastAnswer(tx, payment.id);
  const isNews = last?.kind !== verification.kind || (last.returned ?? null) !== returnedOf(verification);
  if (cause.actor !== 'operator' && !isNews) return false;
  await record(tx, payment, 'verification', cause, describe(verification, [payment.reference, String(payment.amount)]));
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
