// Makes this file a module: what it declares below is merged into the platform's interface.
import type {} from '../../../platform/use-cases/events.ts';

declare module '../../../platform/use-cases/events.ts' {
  interface DomainEventMap {
    /** Emitted once per payment when it becomes succeeded, in the transaction that records it. `amount` in whole XAF. */
    'payment.settled': { paymentId: number; userId: string; prepaId: number; prepaNom: string; amount: number; at: Date };
    /** Emitted when an attempt opened at the provider failed, and the learner has not begun a later one. */
    'payment.failed': UnsettledPayment & { reason: 'failed' | 'cancelled' | 'expired' };
    /** Emitted once per payment that still has no outcome after 10 minutes, when its learner no longer waits. */
    'payment.late': UnsettledPayment;
    /** Emitted once per succeeded payment when it is refunded entirely, in the transaction that records it. */
    'payment.refunded': Refund;
    /** Emitted when a part is refunded: the enrolment's days stay. `amount` is that part, in whole XAF. */
    'payment.partly-refunded': Refund;
  }
}

interface UnsettledPayment {
  paymentId: number;
  userId: string;
  /** Null once the prepa is deleted. */
  prepaId: number | null;
  prepaNom: string;
  at: Date;
}

interface Refund extends UnsettledPayment {
  /** Refunded amount, in whole XAF; the full price in `payment.refunded`. */
  amount: number;
  /** Reason given by the operator or the provider. */
  reason: string;
  /** The operator who recorded it; null when the provider reported it. */
  operator: string | null;
}
