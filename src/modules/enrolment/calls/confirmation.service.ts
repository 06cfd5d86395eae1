import type { EntityManager } from '@mikro-orm/postgresql';
import type { UseCaseContext } from '../../../platform/use-cases/events.ts';
import { isCoveredByVerifiedPayment, latestPayment, type PaymentProviders, settlePayment } from '../../payment/index.ts';
import { accessEnded, isActive } from '../access/enrolment.presenter.ts';
import { findEnrolment } from '../access/enrolment.repository.ts';

/**
 * Confirms an enrolment if a verified payment of this learner covers it (design §4), even if a later attempt has failed. Adds no
 * days.
 */
export async function confirmEnrolment(
  em: EntityManager,
  context: UseCaseContext,
  providers: PaymentProviders,
  { userId, prepaId }: { userId: string; prepaId: number },
) {
  const payment = await latestPayment(em, userId, prepaId);
  const status = payment ? (await settlePayment(em, context, providers, payment.reference, 'learner')).status : null;
  const enrolment = await findEnrolment(em, userId, prepaId);
  const active = enrolment !== null && isActive(enrolment, context.clock.now());
  if (active && (status === 'success' || (await isCoveredByVerifiedPayment(em, userId, prepaId, enrolment.dateInscription)))) {
    return { status: 'success' as const, message: 'Votre inscription est confirmée.' };
  }
  switch (status) {
    case null:
      return { status: 'failed' as const, message: "Erreur lors de la confirmation de l'inscription. Veuillez contacter le support." };
    case 'success':
      return { status: 'failed' as const, message: accessEnded };
    case 'pending':
      return { status, message: 'Votre paiement est en cours de vérification.' };
    case 'failed':
      return { status, message: 'Paiement échoué ou annulé' };
  }
}
