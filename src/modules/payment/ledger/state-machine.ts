import type { Verification } from '../contract/provider.ts';
import type { PaymentStatus } from './payment.entity.ts';

/**
 * The allowed transitions (payment-providers §6, rules 4 to 6).
 * A late success overrides cancelled, expired, failed and review: only the provider's own answer with our amount counts as a success,
 * so the money has been taken. `succeeded` can only become `refunded`.
 */
const nextStates: Record<PaymentStatus, readonly PaymentStatus[]> = {
  created: ['pending', 'succeeded', 'failed', 'cancelled', 'expired', 'review'],
  pending: ['succeeded', 'failed', 'cancelled', 'expired', 'review'],
  failed: ['succeeded', 'review'],
  cancelled: ['succeeded', 'review'],
  expired: ['succeeded', 'review'],
  review: ['succeeded'],
  succeeded: ['refunded'],
  refunded: [],
};

export const canMove = (from: PaymentStatus, to: PaymentStatus): boolean => nextStates[from].includes(to);

/**
 * Returns whether an operator may decide this transition: to put a payment that is neither succeeded nor refunded under review, to
 * refund, or to close a reviewed payment as failed.
 */
export function mayDecide(from: PaymentStatus, to: PaymentStatus): boolean {
  if (to === 'failed') return from === 'review';
  // A payment under review may have been paid, but opens no access: it can only be refunded manually.
  if (to === 'refunded') return from === 'succeeded' || from === 'review';
  return to === 'review' && canMove(from, to);
}

/** Returns whether the payment was paid: no further check is needed for its outcome. */
export const isSettled = (status: PaymentStatus): boolean => status === 'succeeded' || status === 'refunded';

/** Returns whether the outcome is unknown: the learner may still be paying. */
export const isOpen = (status: PaymentStatus): boolean => status === 'created' || status === 'pending';

/** The state that each kind of answer leads to, before the present state is considered; null: the answer changes no state. */
const askedFor: Record<Verification['kind'], PaymentStatus | null> = {
  succeeded: 'succeeded',
  failed: 'failed',
  cancelled: 'cancelled',
  expired: 'expired',
  refunded: 'refunded',
  // The money was taken, and a part of it was not refunded: treated like a success.
  partly_refunded: 'succeeded',
  mismatch: 'review',
  // No real money was paid.
  sandbox: 'review',
  pending: 'pending',
  // Asked about again like any pending payment; the history shows it to reviewers.
  incomplete: 'pending',
  not_found: null,
  unknown: null,
};

/** Returns the state after a provider's answer; the same state when the answer changes nothing or the transition is not allowed. */
export function nextStatus(from: PaymentStatus, kind: Verification['kind']): PaymentStatus {
  const to = askedFor[kind];
  if (to === null || to === from) return from;
  // Refunded before we saw it paid: no access opens, and an administrator reviews it.
  if (to === 'refunded' && isOpen(from)) return 'review';
  return canMove(from, to) ? to : from;
}

/** The status that a learner sees. */
export type SettlementStatus = 'success' | 'pending' | 'failed';

export function settlementStatus(status: PaymentStatus): SettlementStatus {
  if (status === 'succeeded') return 'success';
  return isOpen(status) || status === 'review' ? 'pending' : 'failed';
}
