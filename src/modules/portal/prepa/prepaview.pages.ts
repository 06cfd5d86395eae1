import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { idSchema, withZod } from '../../../platform/http/validators.ts';
import { presentDisciplines } from '../../../shared/study/disciplines-page.ts';
import type { StudyProgress } from '../../../shared/study/progress.ts';
import { presentDisciplineCard } from '../../catalogue/index.ts';
import { findEnrolment, flashNotEnrolled, isActive, listOfLearner, presentEnrolmentCard } from '../../enrolment/index.ts';
import { presentPlanQuestion } from '../../revision/index.ts';
import { readProgress } from '../../training/index.ts';
import { listActiveWithDisciplines } from './prepa.repository.ts';

declare module '../../../platform/pages/views.ts' {
  interface PageLocals {
    'portal/prepaview': Pick<ReturnType<typeof presentDisciplines>, 'disciplines'> & {
      /** The active enrolments. */
      enrolments: (ReturnType<typeof presentEnrolmentCard> & { selected: boolean; progress: StudyProgress['prepas'][number] | null })[];
      /** Null without an active enrolment. */
      selected: { id: number | null; nom: string; progress: StudyProgress['prepas'][number] | null } | null;
      /** The question for the date of the concours, on the first day of the selected access. */
      plan: ReturnType<typeof presentPlanQuestion> | null;
      /** Shown in place of a part that could not be read. */
      errors: { enrolments: string | null; disciplines: string | null };
    };
  }
}

/** Serves the enrolled prepas next to the disciplines of the selected one (specification §2). A confirmed payment redirects here. */
export async function prepaviewPages(instance: FastifyInstance): Promise<void> {
  const app = withZod(instance);
  const learnerOnly = { preHandler: [app.requireLearner] };

  app.get('/user/prepaview', learnerOnly, (request, reply) => show(request, reply, null));
  app.get('/user/prepaview/:prepaId', { ...learnerOnly, schema: { params: z.object({ prepaId: idSchema }) } }, (request, reply) =>
    show(request, reply, request.params.prepaId),
  );

  /** Sends the page. Without `prepaId` it selects the enrolment with the latest end. */
  async function show(request: FastifyRequest, reply: FastifyReply, prepaId: number | null): Promise<FastifyReply> {
    const learner = request.signedInLearner;
    const now = request.context.clock.now();
    const page = { title: 'Mes préparations en cours', noindex: true, learnerCss: true };
    const [rows, progress] = await Promise.all([readActive(request, learner.id, prepaId, now), readProgress(request, prepaId)]);
    if (!rows) {
      return reply.page('portal/prepaview', {
        ...page,
        enrolments: [],
        selected: null,
        plan: null,
        disciplines: [],
        errors: { enrolments: 'Impossible de charger vos préparations. Veuillez réessayer plus tard.', disciplines: null },
        toasts: [{ kind: 'error', message: 'Erreur lors du chargement de vos préparations' }],
      });
    }
    const selected = rows.find((row) => row.prepaId === prepaId);
    if (prepaId === null && rows[0]) return reply.redirect(`/user/prepaview/${rows[0].prepaId}`, 303);
    if (prepaId !== null && !selected) {
      // The trial page itself gives the reason for an ended access.
      if (!(await findEnrolment(request.em, learner.id, prepaId))) await flashNotEnrolled(request, reply, prepaId);
      return reply.redirect(`/user/prepa/consultation/${prepaId}`, 303);
    }
    const cards = selected ? (selected.disciplines?.map(presentDisciplineCard) ?? null) : [];
    const { disciplines, error, toasts } = presentDisciplines(cards, progress);
    return reply.page('portal/prepaview', {
      ...page,
      ...(selected ? { title: `Mes préparations en cours : ${selected.prepaNom}` } : {}),
      enrolments: rows.map((row) => ({
        ...presentEnrolmentCard(row, now),
        selected: row === selected,
        progress: progress.prepas[row.prepaId ?? 0] ?? null,
      })),
      selected: selected ? { id: prepaId, nom: selected.prepaNom, progress: progress.prepas[selected.prepaId ?? 0] ?? null } : null,
      plan: prepaId !== null && selected?.asksForDay ? presentPlanQuestion(prepaId, now) : null,
      disciplines,
      errors: { enrolments: null, disciplines: error },
      toasts,
    });
  }
}

/**
 * Returns the active enrolments with the disciplines of one prepa, or without disciplines when these fail; null when the enrolments
 * cannot be read either.
 */
async function readActive(request: FastifyRequest, userId: string, prepaId: number | null, now: Date) {
  try {
    return await listActiveWithDisciplines(request.em, userId, prepaId, now);
  } catch (error) {
    request.log.error({ err: error }, 'disciplines could not be read');
  }
  try {
    const rows = await listOfLearner(request.em, userId);
    return rows.filter((row) => isActive(row, now)).map((row) => ({ ...row, disciplines: null, asksForDay: false }));
  } catch (error) {
    request.log.error({ err: error }, 'enrolments could not be read');
    return null;
  }
}
