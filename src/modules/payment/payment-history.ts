import type { EntityManager } from '@mikro-orm/postgresql';
import type { Payment, PaymentStatus } from './payment.entity.ts';
import { type PaymentActor, PaymentEvent } from './payment-event.entity.ts';
import type { Verification } from './provider.ts';
import { storableAnswer } from './storable-answer.ts';

/** The append-only story of a payment (payment-providers §6, rule 12), written inside the transaction that changes it. */

export async function recordCreation(
  tx: EntityManager,
  payment: { id: number; amount: number; currency: string },
  actor: PaymentActor,
  at: Date,
) {
  const detail = { amount: payment.amount, currency: payment.currency };
  await tx.insert(PaymentEvent, { payment: payment.id, type: 'created', actor, fromStatus: null, toStatus: 'created', detail, at });
}

interface Transition {
  from: PaymentStatus;
  to: PaymentStatus;
  actor: PaymentActor;
  /** Which one, when it is an operator. */
  operator?: string | undefined;
  at: Date;
  note?: string | undefined;
}

export async function recordTransition(tx: EntityManager, payment: { id: number }, { from, to, actor, operator, at, note }: Transition) {
  const detail = note === undefined ? null : { note };
  await tx.insert(PaymentEvent, {
    ...{ payment: payment.id, type: 'transition', actor, operator: operator ?? null },
    ...{ fromStatus: from, toStatus: to, detail, at },
  });
}

/** What an operator has decided, and why; the transition it leads to is the same event. */
export async function recordDecision(
  tx: EntityManager,
  payment: { id: number },
  { from, to, operator, at, reason }: { from: PaymentStatus; to: PaymentStatus; operator: string; at: Date; reason: string },
) {
  await tx.insert(PaymentEvent, {
    ...{ payment: payment.id, type: 'decision', actor: 'operator', operator },
    ...{ fromStatus: from, toStatus: to, detail: { reason }, at },
  });
}

/**
 * An answer that says the same as the one before is counted in `checks` and not written again, so that nobody fills the table by asking;
 * an operator's question is always written.
 */
export async function recordVerification(
  tx: EntityManager,
  payment: Payment,
  verification: Verification,
  { actor, operator, at }: Pick<Transition, 'actor' | 'operator' | 'at'>,
) {
  if (actor !== 'operator' && (await lastAnswer(tx, payment.id)) === verification.kind) return;
  const detail = describe(verification, [payment.reference, String(payment.amount)]);
  await tx.insert(PaymentEvent, {
    ...{ payment: payment.id, type: 'verification', actor, operator: operator ?? null },
    ...{ fromStatus: null, toStatus: null, detail, at },
  });
}

async function lastAnswer(tx: EntityManager, paymentId: number): Promise<unknown> {
  const last = await tx.findOne(PaymentEvent, { payment: paymentId, type: 'verification' }, { orderBy: { id: 'desc' } });
  return last?.detail?.kind;
}

function describe(verification: Verification, kept: string[]): Record<string, unknown> {
  if (verification.kind === 'unknown') return { kind: 'unknown', cause: storableAnswer(verification.cause, kept) };
  const { kind, raw } = verification;
  const reason = 'reason' in verification ? { reason: storableAnswer(verification.reason, kept) } : {};
  const paid = kind === 'succeeded' ? { amount: verification.amount, currency: verification.currency } : {};
  return { kind, ...paid, ...reason, answer: storableAnswer(raw, kept) };
}
