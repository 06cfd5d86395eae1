import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { idSchema, withZod } from '../../../platform/http/validators.ts';
import { formatDate } from '../../../shared/dates.ts';
import { type KeepingLink, keepingLink } from '../../../shared/offline/keeping-link.ts';
import type { StudyProgress } from '../../../shared/study/progress.ts';
import { accessEnded, findEnrolment, isActive, presentExtension, willAddDays } from '../../enrolment/index.ts';
import { knownDownload, readSizes } from '../../offline/index.ts';
import { isOpen, type LatestPayment, latestPayment, type PaymentKernel, refusalHelp, type SettlementStatus } from '../../payment/index.ts';
import { presentPlanQuestion } from '../../revision/index.ts';
import { readProgress } from '../../training/index.ts';
import { settleWithTimeout } from './settlement.ts';

/** Seconds after which the waiting page reloads, and the cancelled page redirects to the dashboard (specification §9). */
const refreshSeconds = 5;

/** The cancelled page's query. Invalid values are ignored. */
const cancelQuery = z.object({ prepa_id: idSchema.optional().catch(undefined), rester: z.literal('1').optional().catch(undefined) });

declare module '../../../platform/pages/views.ts' {
  interface PageLocals {
    'portal/success': {
      /** 'confirmed': a verified payment or an active enrolment; 'checking': the provider has not confirmed yet. */
      state: 'confirmed' | 'checking';
      prepa: { id: number; nom: string };
      /** Last day of a confirmed access. */
      fin: string | null;
      /** The next step in the prepa; null when nothing is left, and while the payment is checked. */
      resume: NonNullable<StudyProgress['prepas'][number]>['resume'];
      /** Link for keeping the prepa offline; null when that is switched off, and while the payment is checked. */
      keep: KeepingLink | null;
      /** Effect of a payment being checked on an open access; null when it opens one. */
      adds: string | null;
      /** The question for the date of the concours; null while the payment is checked. */
      plan: ReturnType<typeof presentPlanQuestion> | null;
    };
    'portal/cancel': {
      prepaId: number | null;
      /** Last day of an access that is open despite the cancellation. */
      acces: string | null;
      /** Whether the payment has no outcome yet. */
      isOpen: boolean;
      /** What the learner can do after a refusal by the provider; null when the payment was not refused. */
      help: string | null;
      /** Whether the page does not redirect. */
      stays: boolean;
    };
  }
}

/** Serves the pages after a payment: confirmed or being checked, and cancelled or refused. */
export async function returnPages(instance: FastifyInstance, { kernel }: { kernel: PaymentKernel }): Promise<void> {
  const app = withZod(instance);
  const learnerOnly = { preHandler: [app.requireLearner], config: { load: 'essential', earlyHeader: true } as const };

  app.get(
    '/user/dashboard/success/:prepaId',
    { ...learnerOnly, schema: { params: z.object({ prepaId: idSchema }) } },
    async (request, reply) => {
      const learner = request.signedInLearner;
      await app.verificationLimit.consume(learner.id);
      const { prepaId } = request.params;
      const now = request.context.clock.now();
      const payment = await latestPayment(request.em, learner.id, prepaId);
      const status = payment ? await askProvider(request, payment) : null;
      const enrolment = await findEnrolment(request.em, learner.id, prepaId);
      if (payment && status === 'pending') {
        const extension = presentExtension(enrolment, now);
        const prepa = { id: prepaId, nom: payment.prepaNom };
        return reply.page('portal/success', {
          title: 'Vérification du paiement',
          noindex: true,
          state: 'checking',
          prepa,
          fin: null,
          resume: null,
          keep: null,
          adds: extension && willAddDays(extension),
          plan: null,
          refreshSeconds,
        });
      }
      if (status === 'refused') return reply.redirect(`/user/dashboard/cancel?prepa_id=${prepaId}`, 303);
      if (status === 'failed' || !enrolment || !isActive(enrolment, now)) {
        return reply.flash(...refusal(status)).redirect('/user/dashboard', 303);
      }
      const { prepas } = await readProgress(request, prepaId);
      const download = knownDownload(prepaId);
      // Read after the response: the learner waits for this page.
      if (kernel.config.offline && download === null) {
        reply.afterwards(async () => void (await readSizes(request.em, request.context, learner.id, prepaId)));
      }
      return reply.page('portal/success', {
        title: 'Paiement réussi !',
        noindex: true,
        learnerCss: true,
        state: 'confirmed',
        prepa: { id: prepaId, nom: enrolment.prepaNom },
        fin: formatDate(enrolment.dateExpiration),
        resume: prepas[prepaId]?.resume ?? null,
        keep: kernel.config.offline ? keepingLink(prepaId, { download }) : null,
        adds: null,
        plan: presentPlanQuestion(prepaId, now),
        toasts: [{ kind: 'success', message: `Félicitations ! Vous avez accès à "${enrolment.prepaNom}"` }],
      });
    },
  );

  /** Returns the provider's answer; 'pending' when it has not answered within the page's timeout, 'refused' for a failure with help. */
  async function askProvider(request: FastifyRequest, payment: LatestPayment): Promise<SettlementStatus | 'refused'> {
    if (payment.status === 'succeeded') return 'success';
    const settlement = await settleWithTimeout(kernel, request, payment.reference);
    return settlement?.payment.status === 'failed' ? 'refused' : (settlement?.status ?? 'pending');
  }

  app.get('/user/dashboard/cancel', { ...learnerOnly, schema: { querystring: cancelQuery } }, async (request, reply) => {
    const prepaId = request.query.prepa_id ?? null;
    const learner = request.signedInLearner;
    const [enrolment, payment] =
      prepaId === null
        ? [null, null]
        : await Promise.all([findEnrolment(request.em, learner.id, prepaId), latestPayment(request.em, learner.id, prepaId)]);
    const refused = payment?.status === 'failed' ? payment : null;
    const page = {
      title: refused ? 'Paiement échoué ou annulé' : 'Paiement annulé',
      noindex: true,
      help: refused && refusalHelp(refused.refusal),
      prepaId,
      acces: presentExtension(enrolment, request.context.clock.now())?.acces ?? null,
      isOpen: payment !== null && isOpen(payment.status),
    };
    // In browsers without script, a link with `rester` stops the redirection. A refused payment's page does not redirect.
    if (request.query.rester || refused) return reply.page('portal/cancel', { ...page, stays: true });
    return reply.page('portal/cancel', {
      ...page,
      stays: false,
      refreshSeconds,
      refreshTo: '/user/dashboard',
      toasts: [{ kind: 'info', message: 'Paiement annulé. Vous allez être redirigé vers votre tableau de bord.' }],
    });
  });
}

/** Returns the message for a learner without a confirmed payment, who is redirected to the dashboard. */
function refusal(status: SettlementStatus | null): ['error' | 'info', string] {
  if (status === null) return ['info', "Aucun paiement n'est en cours pour cette préparation."];
  if (status === 'success') return ['info', accessEnded];
  return ['error', 'Paiement échoué ou annulé'];
}
