import type { EntityManager } from '@mikro-orm/postgresql';
import type { UseCaseContext } from '../../platform/events.ts';
import { latestPayment, type PaymentProviders, settlePayment } from '../payment/index.ts';
import { hasAccess } from './enrolment.repository.ts';

export interface Confirmation {
  status: 'success' | 'pending' | 'failed';
  message: string;
}

/**
 * Confirms an enrolment as far as a verified payment of this learner covers it (design §4): asks the provider when that is still open,
 * opens nothing by itself.
 */
export async function confirmEnrolment(
  em: EntityManager,
  context: UseCaseContext,
  providers: PaymentProviders,
  { userId, prepaId }: { userId: string; prepaId: number },
): Promise<Confirmation> {
  const payment = await latestPayment(em, userId, prepaId);
  if (!payment) return { status: 'failed', message: "Erreur lors de la confirmation de l'inscription. Veuillez contacter le support." };
  const { status } = await settlePayment(em, context, providers, payment.reference, 'learner');
  if (status === 'success' && !(await hasAccess(em, userId, prepaId, context.clock.now()))) {
    return { status: 'failed', message: 'Votre accès à cette préparation est terminé : renouvelez votre inscription pour la retrouver.' };
  }
  if (status === 'success') return { status, message: 'Votre inscription est confirmée.' };
  if (status === 'pending') return { status, message: 'Votre paiement est en cours de vérification.' };
  return { status, message: 'Paiement échoué ou annulé' };
}
