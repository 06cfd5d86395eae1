import type { EntityManager } from '@mikro-orm/postgresql';
import { requireRightClock } from '../../../platform/use-cases/clock-check.ts';
import type { DomainEventMap, DomainEvents } from '../../../platform/use-cases/events.ts';
import { formatDate } from '../../../shared/dates.ts';
// Imported for its event declarations.
import type {} from '../../payment/index.ts';
import { Enrolment } from '../access/enrolment.entity.ts';
import { findActive } from '../access/enrolment.repository.ts';
import { extendEnrolment } from './extension.service.ts';
import { takeBackPayment } from './withdrawal.service.ts';

/**
 * A settled payment adds 30 days, a refund reverses them, and deleting a prepa cancels its enrolments. Each change is made in the
 * transaction of its event.
 */
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
  events.on('prepa.losses', (em, losses, { clock }) => reportLearners(em, losses, clock.now(), ['son accès payé', 'leur accès payé']));
  events.on('discipline.losses', (em, losses, { clock }) =>
    reportLearners(em, losses, clock.now(), ['les contenus de cette discipline', 'les contenus de cette discipline']),
  );
  // The enrolments keep the prepa's name.
  events.on('prepa.deleting', async (em, { prepaId, nom }) => {
    await em.nativeUpdate(Enrolment, { prepa: prepaId }, { statut: 'cancelled', prepaNom: nom });
  });
}

/**
 * Reports the learners who would lose access.
 * @param what French consequence for one learner, and for several
 * @throws WrongClockError, since with a wrong clock no enrolment might seem active
 */
async function reportLearners(
  em: EntityManager,
  { prepaId, tell }: DomainEventMap['prepa.losses'],
  now: Date,
  [ofOne, ofSeveral]: [string, string],
): Promise<void> {
  await requireRightClock(em);
  const { count, until, key } = await findActive(em, prepaId, now);
  if (count === 0) return;
  const text =
    count === 1
      ? `Un candidat inscrit perdrait ${ofOne}. Son accès va jusqu'au ${formatDate(until)}.`
      : `${count} candidats inscrits perdraient ${ofSeveral}. Le dernier de leurs accès va jusqu'au ${formatDate(until)}.`;
  tell({ kind: 'learners', text, key });
}
