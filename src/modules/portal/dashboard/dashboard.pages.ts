import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { idSchema } from '../../../platform/http/validators.ts';
import type { Toast } from '../../../platform/pages/flash.ts';
import { listPublished } from '../../catalogue/index.ts';
import { endAfterExtension, findEnrolment, isActive, refusalReason } from '../../enrolment/index.ts';
import { emailToConfirm, type Learner } from '../../identity/index.ts';
import { latestPayment, type PaymentKernel, paymentDialog } from '../../payment/index.ts';
import { presentUpcomingExams } from '../../questions/index.ts';
import { presentConcours, presentToday } from '../../revision/index.ts';
import { readProgress } from '../../training/index.ts';
import { catalogueFailed, catalogueQuery } from '../catalogue/catalogue.pages.ts';
import { cataloguePageSize, presentAttempts, presentCatalogue, presentRenewals } from '../catalogue/catalogue.presenter.ts';
import { findCatalogueOf } from '../catalogue/catalogue.repository.ts';
import { maxWholeCards, type PublishedPage } from '../catalogue/published-page.repository.ts';
import type { FindPublishedPage } from '../catalogue/published-pages.ts';
import { presentContents } from '../contents/contents.presenter.ts';

import { presentAttemptCard, presentCurrent, presentOffer, presentSubscription } from './dashboard.presenter.ts';

/** The dashboard's query. Invalid values are ignored. */
const querySchema = z.object({
  payment_status: z.enum(['success', 'cancel']).optional().catch(undefined),
  prepa_id: idSchema.optional().catch(undefined),
  paiement: idSchema.optional().catch(undefined),
  /** The learner has just been refused this payment. */
  reessayer: z.literal('1').optional().catch(undefined),
  ...catalogueQuery.shape,
});

declare module '../../../platform/pages/views.ts' {
  interface PageLocals {
    'portal/dashboard': Awaited<ReturnType<typeof readDashboard>>['view'] & {
      /** Open payments, latest first. */
      attempts: ReturnType<typeof presentAttemptCard>;
      /** The address that the learner should confirm; null when it is confirmed, or no confirmation is required. */
      emailToConfirm: string | null;
      /** The prepa that a learner without any enrolment may try; null for others. */
      steps: { href: string; nom: string } | null;
      /** HTML of the payment dialog. */
      paymentIsland: string;
    };
  }
}

/** Serves the learner's dashboard: enrolments, catalogue, dates, and the return from a payment. */
export async function dashboardPages(
  app: FastifyInstance,
  { kernel, findPage }: { kernel: PaymentKernel; findPage: FindPublishedPage },
): Promise<void> {
  // A learner who returns from a provider is in the middle of a payment.
  const load = ({ query }: FastifyRequest) => (Object.hasOwn(query as object, 'payment_status') ? 'essential' : 'page');
  app.get(
    '/user/dashboard',
    { preHandler: [app.requireLearner], config: { earlyHeader: true, paymentProvider: true, load } },
    async (request, reply) => {
      const learner = request.signedInLearner;
      const query = querySchema.parse(request.query);
      const now = request.context.clock.now();
      const toasts: Toast[] = [];
      if (query.payment_status === 'cancel') {
        const toast = await cancelledReturn(request, reply, learner, query.prepa_id);
        if (!toast) return reply;
        toasts.push(toast);
      }
      if (query.payment_status === 'success' && query.prepa_id) {
        const toast = await paymentReturn(request, reply, learner, query.prepa_id);
        if (!toast) return reply;
        toasts.push(toast);
      }
      const { view, offers, openPayments, contents, toasts: failures } = await readDashboard(request, findPage, learner, query);
      const { published, renewals } = offers;
      const chosen = published.find((prepa) => prepa.id === query.paiement);
      if (query.paiement && !chosen && view.catalogue) {
        const open = view.enrolments.find(({ active, prepaId }) => active && prepaId === query.paiement);
        const gone = "Cette préparation n'est plus proposée.";
        if (open) toasts.push({ kind: 'info', message: `${gone} Vous y avez accès jusqu'au ${open.fin}.` });
        else if (view.catalogue.total > 0) toasts.push({ kind: 'info', message: gone });
      }
      const prepa = chosen && {
        ...presentOffer(chosen, renewals),
        // The address of an old notification's 'Réessayer': the prepa may have been paid since.
        continuer:
          !query.reessayer && view.enrolments.some(({ prepaId, active, endsSoon }) => prepaId === chosen.id && active && !endsSoon),
        contents: contents ? presentContents(contents) : undefined,
      };
      const attempts = presentAttempts(kernel.providers, openPayments);
      const [tried] = published;
      const isNew = view.enrolments.length === 0 && view.errors.enrolments === null && openPayments.length === 0;
      return reply.framedPage('portal/dashboard', {
        title: 'Mon espace',
        noindex: true,
        learnerCss: true,
        toasts: [...toasts, ...failures],
        ...view,
        steps: isNew && tried ? { href: `/user/prepa/consultation/${tried.id}`, nom: tried.nom } : null,
        emailToConfirm: emailToConfirm(request),
        attempts: openPayments.flatMap(({ prepaId }) => presentAttemptCard(attempts[prepaId], prepaId, offers)),
        paymentIsland: paymentDialog(reply, kernel, { prepa: prepa ?? null, until: endAfterExtension(null, now), trial: false, attempts }),
      });
    },
  );
}

/**
 * Handles a return without payment. An open, cancelled, expired or refused payment redirects to the page about it. Null: the response
 * was sent (decision 010).
 */
async function cancelledReturn(
  request: FastifyRequest,
  reply: FastifyReply,
  learner: Learner,
  prepaId: number | undefined,
): Promise<Toast | null> {
  const payment = prepaId === undefined ? null : await latestPayment(request.em, learner.id, prepaId);
  if (!payment || ['succeeded', 'refunded', 'review'].includes(payment.status)) return { kind: 'info', message: 'Paiement annulé.' };
  reply.redirect(`/user/dashboard/cancel?prepa_id=${prepaId}`, 303);
  return null;
}

/**
 * Handles a return from the provider (specification §4): a confirmed payment redirects to its prepa, an open one to the page that
 * waits for it. An active enrolment that was not opened by this payment causes a warning. Null: the response was sent.
 */
async function paymentReturn(request: FastifyRequest, reply: FastifyReply, learner: Learner, prepaId: number): Promise<Toast | null> {
  const payment = await latestPayment(request.em, learner.id, prepaId);
  const enrolment = await findEnrolment(request.em, learner.id, prepaId);
  const active = enrolment !== null && isActive(enrolment, request.context.clock.now());
  if (payment?.status === 'succeeded' && active) {
    reply.flash('success', 'Paiement réussi ! Votre inscription est confirmée.').redirect(`/user/prepaview/${prepaId}`, 303);
    return null;
  }
  if (payment && ['created', 'pending', 'review'].includes(payment.status)) {
    reply.redirect(`/user/dashboard/success/${prepaId}`, 303);
    return null;
  }
  if (active) return { kind: 'warning', message: 'Vous êtes déjà inscrit à cette préparation.' };
  if (payment?.status === 'failed') {
    reply.redirect(`/user/dashboard/cancel?prepa_id=${prepaId}`, 303);
    return null;
  }
  if (payment?.status === 'succeeded') return { kind: 'warning', message: refusalReason(enrolment, request.context.clock.now()) };
  return payment
    ? { kind: 'error', message: 'Paiement échoué ou annulé' }
    : { kind: 'error', message: "Erreur lors de la confirmation de l'inscription. Veuillez contacter le support." };
}

async function readDashboard(
  request: FastifyRequest,
  findPage: FindPublishedPage,
  learner: Learner,
  { q, page, moitie, paiement }: Pick<z.infer<typeof querySchema>, 'q' | 'page' | 'moitie' | 'paiement'>,
) {
  const now = request.context.clock.now();
  const asked = { q, page, pageSize: cataloguePageSize };
  const [rows, progress] = await Promise.all([
    findCatalogueOf(request.em, findPage, learner.id, { ...asked, chosen: paiement, revisionAt: now }).catch(failed(request)),
    readProgress(request),
  ]);
  const enrolments = rows?.enrolments ?? null;
  // When the learner's data cannot be read, the published prepas may still be readable.
  const catalogue = rows?.catalogue ?? (await firstPrepas(request.em).catch(failed(request)));
  const offers = { published: [...(catalogue?.prepas ?? []), ...(rows?.others ?? [])], renewals: presentRenewals(enrolments ?? [], now) };
  const subscriptions = (enrolments ?? []).map((enrolment) => presentSubscription(enrolment, now, progress, offers));
  const current = presentCurrent(subscriptions, progress);
  const shown = current.current?.prepaId ?? null;
  return {
    offers,
    openPayments: rows?.openPayments ?? [],
    contents: rows?.contents ?? null,
    toasts: enrolments ? [] : [{ kind: 'error', message: 'Erreur lors du chargement de vos préparations' } satisfies Toast],
    view: {
      enrolments: subscriptions,
      ...current,
      errorCount: rows?.errors ?? 0,
      exams: presentUpcomingExams(rows?.exams ?? [], now),
      /** Empty without a prepa that is open, or was until recently. */
      concours: presentConcours(rows?.plans ?? [], shown, now),
      /** The daily session: of the prepa shown, else of another with questions. Null without any. */
      today: presentToday(rows?.plans ?? [], shown, now),
      catalogue: catalogue && presentCatalogue(catalogue, offers.renewals, { ...asked, half: moitie ? 2 : 1, paged: true }),
      /** Shown in place of a part that could not be read. */
      errors: {
        enrolments: enrolments ? null : 'Erreur lors du chargement des données',
        catalogue: catalogue ? null : catalogueFailed,
      },
    },
  };
}

/** Returns the prepas created first, as a catalogue. */
async function firstPrepas(em: FastifyRequest['em']): Promise<PublishedPage> {
  const prepas = await listPublished(em, maxWholeCards);
  return { prepas, total: prepas.length, found: prepas.length, whole: true };
}

/** Logs the failure of a part of the page and returns null; the other parts are still rendered. */
const failed = (request: FastifyRequest) => (error: unknown) => {
  request.log.error({ err: error }, 'part of the dashboard failed');
  return null;
};
