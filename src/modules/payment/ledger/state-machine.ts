import type { Verification } from '../contract/provider.ts';
import type { PaymentStatus } from './payment.entity.ts';

/**
 * The only changes from one state to another (payment-providers §6, rules 4 to 6). A late success wins over everything but itself: over cancelled
 * and expired, and over failed and review too, since only the provider's own answer with our amount counts as a success, and then the
 * money has been taken. `succeeded` leaves only to `refunded`.
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

/** What an operator may decide: to review what has no end yet, to give back, and to close what was under review as failed. */
export function mayDecide(from: PaymentStatus, to: PaymentStatus): boolean {
  if (to === 'failed') return from === 'review';
  // Money under review is there, and opens nothing: it can only be given back by hand.
  if (to === 'refunded') return from === 'succeeded' || from === 'review';
  return to === 'review' && canMove(from, to);
}

/** Nothing to ask the provider any more. */
export const isSettled = (status: PaymentStatus): boolean => status === 'succeeded' || status === 'refunded';

/** The outcome is not known: the learner may still be paying. */
export const isOpen = (status: PaymentStatus): boolean => status === 'created' || status === 'pending';

/** What a provider's answer asks for, whatever the present state. Null: it decides nothing. */
const askedFor: Record<Verification['kind'], PaymentStatus | null> = {
  succeeded: 'succeeded',
  failed: 'failed',
  cancelled: 'cancelled',
  expired: 'expired',
  refunded: 'refunded',
  // The money has been taken, and most of it kept: a success like any other.
  partly_refunded: 'succeeded',
  mismatch: 'review',
  // No money has come.
  sandbox: 'review',
  pending: 'pending',
  // Asked about like any other, and in the story for whoever reviews it.
  incomplete: 'pending',
  not_found: null,
  unknown: null,
};

/** The state after a provider's answer; the same one when the answer changes nothing or may not be followed. */
export function nextStatus(from: PaymentStatus, kind: Verification['kind']): PaymentStatus {
  const to = askedFor[kind];
  if (to === null || to === from) return from;
  // Given back before we ever saw it paid: nothing opens, and a person looks at it.
  if (to === 'refunded' && isOpen(from)) return 'review';
  return canMove(from, to) ? to : from;
}

/** What the learner is told of a state. */
export type SettlementStatus = 'success' | 'pending' | 'failed';

export function settlementStatus(status: PaymentStatus): SettlementStatus {
  if (status === 'succeeded') return 'success';
  return isOpen(status) || status === 'review' ? 'pending' : 'failed';
}
