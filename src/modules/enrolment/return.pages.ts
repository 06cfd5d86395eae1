import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { idSchema, withZod } from '../../platform/validators.ts';
import { latestPayment } from '../payment/index.ts';
import { visiblePrepa } from './enrolment.policy.ts';
import { isActive } from './enrolment.presenter.ts';
import { findEnrolment } from './enrolment.repository.ts';

/** Seconds after which the waiting page asks again. */
const refreshSeconds = 5;

/** Where a payment ends: confirmed or being checked, and cancelled. */
export async function returnPages(instance: FastifyInstance): Promise<void> {
  const app = withZod(instance);
  const learnerOnly = { preHandler: [app.requireLearner] };

  app.get(
    '/user/dashboard/success/:prepaId',
    { ...learnerOnly, schema: { params: z.object({ prepaId: idSchema }) } },
    async (request, reply) => {
      const { learner } = request;
      if (!learner) return reply;
      const { prepaId } = request.params;
      const now = request.context.clock.now();
      const [payment, enrolment] = await Promise.all([
        latestPayment(request.em, learner.id, prepaId),
        findEnrolment(request.em, learner.id, prepaId),
      ]);
      const active = enrolment !== null && isActive(enrolment, now);
      const confirmed = payment ? payment.status === 'succeeded' : active;
      const open = payment !== null && ['created', 'pending', 'review'].includes(payment.status);
      if (!confirmed && !open && !active) {
        return reply
          .flash('error', payment ? 'Paiement échoué ou annulé' : "Aucun paiement n'est en cours pour cette préparation.")
          .redirect('/user/dashboard', 303);
      }
      const nom = enrolment?.prepa_nom ?? payment?.prepaNom ?? (await visiblePrepa(request.em, prepaId, { learner, now })).nom;
      const state = open ? 'checking' : 'confirmed';
      return reply.page('enrolment/success', {
        title: state === 'confirmed' ? 'Paiement réussi !' : 'Vérification du paiement',
        noindex: true,
        state,
        prepa: { id: prepaId, nom },
        ...(state === 'confirmed'
          ? { toasts: [{ kind: 'success' as const, message: `Félicitations ! Vous avez accès à "${nom}"` }] }
          : { refreshSeconds }),
      });
    },
  );

  app.get(
    '/user/dashboard/cancel',
    { ...learnerOnly, schema: { querystring: z.object({ prepa_id: idSchema.optional().catch(undefined) }) } },
    async (request, reply) =>
      reply.page('enrolment/cancel', {
        title: 'Paiement annulé',
        noindex: true,
        prepaId: request.query.prepa_id ?? null,
        toasts: [{ kind: 'info', message: 'Paiement annulé. Vous allez être redirigé vers votre tableau de bord.' }],
      }),
  );
}
