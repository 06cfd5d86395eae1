import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { notFound } from '../../../platform/errors.ts';
import { idParams, withZod } from '../../../platform/http/validators.ts';
import { ordinaryRule } from '../../../shared/questions/marking-rule.ts';
import { modeNames, seriesModes, seriesStart } from '../../../shared/questions/series.ts';
import { asRead } from '../../../shared/rich-text/as-read.ts';
import { attemptHref, seriesHref } from './attempt.presenter.ts';
import { beginAttempt, findSeries, type StartRow } from './attempt.repository.ts';
import { finishAttempt } from './attempt.service.ts';

declare module '../../../platform/pages/views.ts' {
  interface PageLocals {
    'questions/series': ReturnType<typeof presentStart>;
  }
}

const gone = "Cette série n'existe pas ou n'existe plus.";
const startBody = z.object({
  mode: z.enum(seriesModes, { error: 'Choisissez comment faire la série' }),
  recommencer: z.literal('oui').optional(),
});

/** Serves the start of a series: how to begin, and 'Reprendre' for an open attempt. */
export async function startPages(instance: FastifyInstance): Promise<void> {
  const app = withZod(instance);

  app.get(
    '/user/series/:id',
    { preHandler: [app.requireLearner], schema: { params: idParams }, config: { authored: true } },
    async (request, reply) => {
      const { id } = request.params;
      const series = await findSeries(request.em, request.signedInLearner.id, request.context.clock.now(), id);
      if (!series) throw notFound(gone);
      // The study page explains why access is closed.
      if (!series.access) return reply.redirect(seriesHref({ ...series, itemId: id }), 303);
      return reply.page('questions/series', { noindex: true, learnerCss: true, ...presentStart(id, series) });
    },
  );

  // The session is checked before the body is validated.
  app.post(
    '/user/series/:id/tentatives',
    { onRequest: [app.requireLearner], schema: { params: idParams, body: startBody } },
    async (request, reply) => {
      const { id: itemId } = request.params;
      const { mode, recommencer } = request.body;
      const learner = { userId: request.signedInLearner.id, now: request.context.clock.now() };
      const series = await findSeries(request.em, learner.userId, learner.now, itemId);
      if (!series) throw notFound(gone);
      if (!series.access || series.count === 0) return reply.redirect(seriesHref({ ...series, itemId }), 303);
      const { open } = series;
      if (open && !open.isOver && !recommencer) {
        return reply.redirect(open.mode === mode ? attemptHref(open.id) : `/user/series/${itemId}`, 303);
      }
      if (open) await finishAttempt(request.em, learner, open.id);
      const id = await beginAttempt(request.em, { ...learner, itemId, id: randomUUID(), mode, asked: null });
      return reply.redirect(id === null ? seriesHref({ ...series, itemId }) : attemptHref(id), 303);
    },
  );
}

function presentStart(id: number, { titre, duree, bareme, count, open, ...place }: StartRow) {
  return {
    title: `Série : ${titre}`,
    titre,
    place: `${place.prepaNom} > ${place.disciplineNom}`,
    study: seriesHref({ ...place, itemId: id }),
    /** HTML: what the series has, and the two ways to begin. */
    start: asRead(seriesStart({ id, count, duree, bareme: bareme ?? ordinaryRule })),
    open: open && {
      href: attemptHref(open.id),
      action: `/user/series/${id}/tentatives`,
      mode: open.mode,
      said: modeNames[open.mode],
      label: open.isOver
        ? 'Voir le résultat'
        : `Reprendre (question ${Math.min(Number(open.answered) + 1, Number(open.count))} sur ${open.count})`,
    },
  };
}
