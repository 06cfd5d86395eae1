import type { EntityManager } from '@mikro-orm/postgresql';
import { requireRightClock } from '../../../platform/use-cases/clock-check.ts';
import type { DomainEventMap, DomainEvents } from '../../../platform/use-cases/events.ts';
import { formatDate } from '../../../shared/dates.ts';
// The payment module's events come with its front door.
import type {} from '../../payment/index.ts';
import { Enrolment } from '../access/enrolment.entity.ts';
import { findActive } from '../access/enrolment.repository.ts';
import { extendEnrolment } from './extension.service.ts';
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
  events.on('prepa.losses', (em, losses, { clock }) => reportLearners(em, losses, clock.now(), ['son accès payé', 'leur accès payé']));
  events.on('discipline.losses', (em, losses, { clock }) =>
    reportLearners(em, losses, clock.now(), ['les contenus de cette discipline', 'les contenus de cette discipline']),
  );
  // They keep the prepa's name.
  events.on('prepa.deleting', async (em, { prepaId, nom }) => {
    await em.nativeUpdate(Enrolment, { prepa: prepaId }, { statut: 'cancelled', prepaNom: nom });
  });
}

/**
 * @param what one learner would lose, and what several would
 * @throws WrongClockError: by a wrong clock nobody would seem to lose anything
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
