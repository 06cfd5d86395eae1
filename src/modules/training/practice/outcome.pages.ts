import type { FastifyInstance } from 'fastify';
import { notFound } from '../../../platform/errors.ts';
import { withZod } from '../../../platform/http/validators.ts';
import { presentOutcome } from '../../../shared/study/outcome.ts';
import { finishBody, keepReadings, type ReadingJournal, studyParams, studyQuery } from '../../study/index.ts';
import { findOutcome } from './outcome.repository.ts';

declare module '../../../platform/pages/views.ts' {
  interface PageLocals {
    'training/outcome': NonNullable<ReturnType<typeof presentOutcome>>;
  }
}

/** Serves the page shown after an item is finished or marked: the learner's progress, and the next item. */
export async function outcomePages(instance: FastifyInstance, { journal }: { journal: ReadingJournal }): Promise<void> {
  const app = withZod(instance);
  const base = '/user/prepa/:prepaId/:disciplineId';

  // The 'J'ai terminé' form, used when scripts are off. The session is checked before the body is validated.
  app.post(
    `${base}/termine`,
    { onRequest: [app.requireLearner], schema: { params: studyParams, body: finishBody } },
    async (request, reply) => {
      const { prepaId, disciplineId } = request.params;
      const { type, item } = request.body;
      await keepReadings(request.em, [
        { userId: request.signedInLearner.id, itemId: item, at: request.context.clock.now(), asked: true, finished: true },
      ]);
      return reply.redirect(`/user/prepa/${prepaId}/${disciplineId}/suite?type=${type}&item=${item}`, 303);
    },
  );

  app.get(
    `${base}/suite`,
    { preHandler: [app.requireLearner], schema: { params: studyParams }, config: { back: '/user/prepa/:prepaId' } },
    async (request, reply) => {
      const { prepaId, disciplineId } = request.params;
      const study = `/user/prepa/${prepaId}/${disciplineId}`;
      const asked = studyQuery(request.query);
      if (!asked) return reply.redirect(study, 303);
      await journal.flushSoon();
      const found = await findOutcome(request.em, {
        userId: request.signedInLearner.id,
        now: request.context.clock.now(),
        prepaId,
        disciplineId,
        itemId: asked.id,
      });
      const item = found?.outline.find(({ id, kind }) => id === asked.id && kind === asked.kind);
      if (!found || !item) throw notFound("Ce contenu n'existe pas ou n'existe plus.");
      const outcome = found.access ? presentOutcome(found.outline, item, { ...found, prepaId, disciplineId }, found.mark) : null;
      // The study page explains why access is closed; an unfinished item is read there.
      if (!outcome) return reply.redirect(`${study}?type=${asked.kind}&item=${asked.id}`, 303);
      return reply.page('training/outcome', { noindex: true, learnerCss: true, ...outcome });
    },
  );
}
