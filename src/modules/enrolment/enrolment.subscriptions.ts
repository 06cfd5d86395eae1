import type { DomainEvents } from '../../platform/events.ts';
// The payment module's events come with its front door.
import type {} from '../payment/index.ts';
import { cancelForDeletion, extendEnrolment } from './enrolment.service.ts';
import { takeBackPayment } from './withdrawal.service.ts';

/** A settled payment opens 30 days, a refunded one takes them back, and a deleted prepa ends them: in the transaction of each. */
export function subscribe(events: DomainEvents): void {
  events.on('payment.settled', async (em, payment, context) => {
    await extendEnrolment(em, context, {
      userId: payment.userId,
      prepaId: payment.prepaId,
      prepaNom: payment.prepaNom,
      paymentId: payment.paymentId,
      reason: null,
      operator: null,
      at: payment.at,
    });
  });
  events.on('payment.refunded', takeBackPayment);
  events.on('prepa.deleting', cancelForDeletion);
}
