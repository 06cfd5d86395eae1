import type { DomainEvents } from '../../platform/events.ts';
// The payment module's events come with its front door.
import type {} from '../payment/index.ts';
import { extendEnrolment } from './enrolment.service.ts';

/** A settled payment opens 30 days, in the payment's own transaction. */
export function subscribe(events: DomainEvents): void {
  events.on('payment.settled', async (em, payment, context) => {
    await extendEnrolment(em, context, {
      userId: payment.userId,
      prepaId: payment.prepaId,
      prepaNom: payment.prepaNom,
      paymentId: payment.paymentId,
      reason: null,
      at: payment.at,
    });
  });
}
