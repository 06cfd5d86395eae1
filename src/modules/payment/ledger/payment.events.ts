// Makes this file a module: what it declares below is merged into the platform's interface.
import type {} from '../../../platform/use-cases/events.ts';

declare module '../../../platform/use-cases/events.ts' {
  interface DomainEventMap {
    /** A payment has just become succeeded: exactly once a payment, in the transaction that says so. `amount` in whole XAF. */
    'payment.settled': { paymentId: number; userId: string; prepaId: number; prepaNom: string; amount: number; at: Date };
    /** An attempt in the provider's hands has come to nothing, and the learner has begun no other one. */
    'payment.failed': UnsettledPayment & { reason: 'failed' | 'cancelled' | 'expired' };
    /** Still without an outcome when its learner is no longer waiting for it: once a payment, when 10 minutes have passed. */
    'payment.late': UnsettledPayment;
    /** All of a succeeded payment has been given back: exactly once a payment, in the transaction that says so. */
    'payment.refunded': Refund;
    /** A part of it has been: the days stay. `amount` is that part, in whole XAF. */
    'payment.partly-refunded': Refund;
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

interface Refund extends UnsettledPayment {
  /** Of `payment.refunded`: the whole price, in whole XAF. */
  amount: number;
  /** Why, as the operator or the provider says. */
  reason: string;
  /** Which operator recorded it; null when the provider told of it. */
  operator: string | null;
}
