import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { notFound } from '../../../platform/errors.ts';
import { idSchema, withZod } from '../../../platform/http/validators.ts';

import { coverPreview, presentDisciplineCard, presentPrepaCard } from '../../catalogue/index.ts';
import { readProgress, type StudyProgress } from '../../content/index.ts';

import { endAfterExtension, findEnrolment, flashNotEnrolled, isActive, refusalReason } from '../../enrolment/index.ts';
import { type PaymentKernel, paymentDialog } from '../../payment/index.ts';
import { presentContents } from '../contents/contents.presenter.ts';
import { presentDisciplines } from './disciplines.presenter.ts';
import { type EnrolmentWithDisciplines, findEnrolmentWithDisciplines, findTrial } from './prepa.repository.ts';

const params = z.object({ prepaId: idSchema });

declare module '../../../platform/pages/views.ts' {
  interface PageLocals {
    'portal/disciplines': Omit<ReturnType<typeof presentDisciplines>, 'toasts'> & {
      trial: boolean;
      visitor: boolean;
      /** Why there is only a trial, when there was an access. */
      reason: string | null;
      /** Its price in the trial, where it can be paid. */
      prepa: { id: number; nom: string; prix?: string; montant?: number };
      /** What the whole prepa holds, in the trial. */
      contents: ReturnType<typeof presentContents> | null;
      progress: StudyProgress['prepas'][number] | null;
      /** To what the learner has marked. */
      studyLinks: StudyProgress['links'];
      /** HTML of the payment's dialog, in the trial of a learner. */
      paymentIsland: string;
    };
  }
}

/** The disciplines of a prepa: all of it for enrolled learners, a trial for everybody. */
export async function prepaPages(instance: FastifyInstance, { kernel }: { kernel: PaymentKernel }): Promise<void> {
  const app = withZod(instance);

  app.get('/user/prepa/:prepaId', { preHandler: [app.requireLearner], schema: { params } }, async (request, reply) => {
    const learner = request.signedInLearner;
    const { prepaId } = request.params;
    const now = request.context.clock.now();
    const [enrolment, progress] = await Promise.all([readEnrolment(request, learner.id, prepaId), readProgress(request, prepaId)]);
    if (!enrolment || !isActive(enrolment, now)) {
      if (!enrolment) await flashNotEnrolled(request, reply, prepaId);
      return reply.redirect(`/user/prepa/consultation/${prepaId}`, 303);
    }
    const nom = enrolment.prepaNom;
    return reply.framedPage('portal/disciplines', {
      title: nom,
      noindex: true,
      learnerCss: true,
      trial: false,
      visitor: false,
      reason: null,
      prepa: { id: prepaId, nom },
      contents: null,
      ...presentDisciplines(enrolment.disciplines, progress),
      progress: progress.prepas[prepaId] ?? null,
      studyLinks: progress.links,
      paymentIsland: '',
    });
  });

  app.get('/user/prepa/consultation/:prepaId', { schema: { params }, config: { paymentProvider: true } }, async (request, reply) => {
    const { prepaId } = request.params;
    const { learner } = request;
    const now = request.context.clock.now();
    const enrolment = learner ? await findEnrolment(request.em, learner.id, prepaId) : null;
    if (enrolment && isActive(enrolment, now)) return reply.redirect(`/user/prepa/${prepaId}`, 303);
    const prepa = await findTrial(request.em, prepaId);
    if (!prepa?.isPublished) throw notFound("Cette préparation n'existe pas ou n'est plus disponible.");
    const origin = app.siteOrigin(request);
    const card = presentPrepaCard(prepa);
    // Until when somebody had access is their own.
    const answer = enrolment ? 'framedPage' : 'sharedPage';
    return reply[answer]('portal/disciplines', {
      title: prepa.nom,
      description: card.description,
      canonical: `${origin}/user/prepa/consultation/${prepaId}`,
      learnerCss: true,
      ...(prepa.image ? { og: coverPreview(prepa.image, origin) } : {}),
      trial: true,
      visitor: learner === null,
      reason: enrolment ? refusalReason(enrolment, now) : null,
      prepa: { id: prepa.id, nom: prepa.nom, prix: card.prix, montant: card.montant },
      contents: presentContents(prepa),
      disciplines: prepa.disciplines.map((row) => ({ ...presentDisciplineCard(row), progress: null })),
      error: null,
      progress: null,
      studyLinks: [],
      paymentIsland: learner ? paymentDialog(reply, kernel, { prepa: null, until: endAfterExtension(null, now), trial: true }) : '',
    });
  });
}

/** An enrolment with its prepa's disciplines in one statement; without them when they cannot be read. */
async function readEnrolment(request: FastifyRequest, userId: string, prepaId: number): Promise<EnrolmentWithDisciplines | null> {
  try {
    return await findEnrolmentWithDisciplines(request.em, userId, prepaId);
  } catch (error) {
    request.log.error({ err: error }, 'disciplines could not be read');
    const enrolment = await findEnrolment(request.em, userId, prepaId);
    return enrolment && { ...enrolment, disciplines: null };
  }
}
