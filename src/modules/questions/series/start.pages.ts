import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { notFound } from '../../../platform/errors.ts';
import { idParams, withZod } from '../../../platform/http/validators.ts';
import { ordinaryRule } from '../../../shared/questions/marking-rule.ts';
import { modeNames, seriesModes, seriesStart } from '../../../shared/questions/series.ts';
import { asRead } from '../../../shared/rich-text/as-read.ts';
import { studyHref } from '../../../shared/study/place.ts';
import { pageAbove } from '../answers/unsent-answer.ts';
import { attemptHref, begunHref, seriesHref } from './attempt.presenter.ts';
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
    { onRequest: [app.requireLearner], schema: { params: idParams, body: startBody }, config: { formPage: pageAbove } },
    async (request, reply) => {
      const { id: itemId } = request.params;
      const { mode, recommencer } = request.body;
      const learner = { userId: request.signedInLearner.id, now: request.context.clock.now() };
      const series = await findSeries(request.em, learner.userId, learner.now, itemId);
      if (!series) throw notFound(gone);
      if (!series.access) return reply.redirect(seriesHref({ ...series, itemId }), 303);
      const { open } = series;
      if (open && !open.isOver && open.mode === mode && !recommencer) return reply.redirect(attemptHref(open.id), 303);
      // The page of the series says what becomes of the open attempt. Nothing is lost with one that has no answer and no time.
      const isLoss = open && open.count > 0 && (open.answered > 0 || open.mode === 'exam');
      if (series.count === 0 || (isLoss && !recommencer)) return reply.redirect(`/user/series/${itemId}`, 303);
      if (open) await finishAttempt(request.em, learner, open.id);
      const begun = await beginAttempt(request.em, { ...learner, itemId, id: randomUUID(), mode, asked: null });
      return reply.redirect(begun === null ? seriesHref({ ...series, itemId }) : begunHref(begun, itemId), 303);
    },
  );
}

function presentStart(id: number, { titre, duree, bareme, count, open: begun, ...place }: StartRow) {
  // Nothing of an attempt is left whose questions have all got a fault since.
  const open = begun && begun.count > 0 ? begun : null;
  return {
    title: `Série : ${titre}`,
    titre,
    place: `${place.prepaNom} > ${place.disciplineNom}`,
    // Without a question, the series has no study page.
    study: count === 0 ? studyHref(place.prepaId, place.disciplineId) : seriesHref({ ...place, itemId: id }),
    /** HTML: what the series has, and the two ways to begin. */
    start: asRead(seriesStart({ id, count, duree, bareme: bareme ?? ordinaryRule }, open && sayReplaced(open))),
    open: open && {
      href: attemptHref(open.id),
      said: sayOpen(open),
      label: open.isOver ? 'Voir le résultat' : `Reprendre (question ${Math.min(open.answered + 1, open.count)} sur ${open.count})`,
    },
  };
}

type Open = NonNullable<StartRow['open']>;

/** Returns what the learner has begun, and how far. */
function sayOpen({ mode, isOver, ofErrors, answered, count }: Open): string {
  const far = `(${answered} sur ${count})`;
  if (isOver) return `Le temps de votre série « ${modeNames.exam} » est écoulé ${far}.`;
  if (ofErrors) return `Vous refaites vos erreurs de cette série ${far}.`;
  return `Vous avez commencé cette série : « ${modeNames[mode]} » ${far}.`;
}

/** Returns what happens to the open attempt when the learner begins another one. */
function sayReplaced({ mode, isOver, answered }: Open): string {
  if (isOver) return "Voyez d'abord ce résultat : ensuite, il n'est plus proposé ici.";
  if (mode === 'learn') return 'Commencer remplace cet entraînement : vos réponses restent comptées, mais il ne se reprend plus.';
  return `Commencer termine celle-ci : ${answered === 0 ? "elle n'a pas encore de réponse" : 'elle est corrigée avec les réponses déjà données'}.`;
}
