import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { notFound } from '../../../platform/errors.ts';
import { withZod } from '../../../platform/http/validators.ts';
import { presentToReview } from '../../../shared/study/to-review.ts';
import type { FindSigner, ReadsLimit } from '../../content/index.ts';
import { isPageView, movedItemHref, type ReadingJournal, studyParams, studyQuery } from '../../study/index.ts';
import { findPractice, keepVerdict, listToReview, type PracticeAddress } from './practice.repository.ts';
import { gone, markBody, sessionHref } from './practice.schemas.ts';
import { sendPractice } from './practice-page.ts';

declare module '../../../platform/pages/views.ts' {
  interface PageLocals {
    'training/again': ReturnType<typeof presentToReview>;
  }
}

/** Serves exercises and past subjects as practice: first the text alone, then the correction next to it, then the learner's own mark. */
export async function practicePages(
  instance: FastifyInstance,
  { journal, reads, signer }: { journal: ReadingJournal; reads: ReadsLimit; signer: FindSigner },
): Promise<void> {
  const app = withZod(instance);
  const url = '/user/prepa/:prepaId/:disciplineId/entrainement';

  app.get(
    url,
    { preHandler: [app.requireLearner], schema: { params: studyParams }, config: { authored: true, back: '/user/prepa/:prepaId' } },
    async (request, reply) => {
      const learner = request.signedInLearner;
      const { prepaId, disciplineId } = request.params;
      const study = `/user/prepa/${prepaId}/${disciplineId}`;
      const asked = studyQuery(request.query);
      if (!asked) return reply.redirect(study, 303);
      const corrected = (request.query as { corrige?: unknown }).corrige === 'oui';
      const now = request.context.clock.now();
      const address: PracticeAddress = { userId: learner.id, now, prepaId, disciplineId, kind: asked.kind, itemId: asked.id };
      const practice = await findPractice(request.em, address, corrected);
      if (!practice) {
        const href = await movedItemHref(request.em, { item: asked, disciplineId, userId: learner.id, now });
        if (href) return reply.redirect(href, 303);
        throw notFound(gone);
      }
      const item = `type=${asked.kind}&item=${asked.id}`;
      // The study page explains why access is closed and links to the alternatives.
      if (!practice.access) return reply.redirect(`${study}?${item}`, 303);
      if (!practice.hasCorrection) {
        return reply.flash('info', "Ce contenu n'a pas de corrigé : il se lit ici.").redirect(`${study}?${item}`, 303);
      }
      await reads.take(request, learner.id, [asked.id], now);
      if (isPageView(request)) journal.note({ userId: learner.id, itemId: asked.id, at: now, asked: true });
      const seance = z.guid().safeParse((request.query as { seance?: unknown }).seance).data;
      return sendPractice(request, reply, { practice, address, signer, seance });
    },
  );

  // The session is checked before the body is validated.
  app.post(url, { onRequest: [app.requireLearner], schema: { params: studyParams, body: markBody } }, async (request, reply) => {
    const learner = request.signedInLearner;
    const { prepaId, disciplineId } = request.params;
    const { type, item, verdict, seance } = request.body;
    const now = request.context.clock.now();
    const address: PracticeAddress = { userId: learner.id, now, prepaId, disciplineId, kind: type, itemId: item };
    const kept = await keepVerdict(request.em, address, verdict);
    // Access ended meanwhile: the study page explains why. Otherwise the item has nothing to mark.
    if (!kept && (await findPractice(request.em, address, false))?.access !== false) throw notFound(gone);
    if (kept && seance) return reply.redirect(sessionHref(seance), 303);
    return reply.redirect(`/user/prepa/${prepaId}/${disciplineId}${kept ? '/suite' : ''}?type=${type}&item=${item}`, 303);
  });

  app.get('/user/a-revoir', { preHandler: [app.requireLearner], config: { back: '/user/dashboard' } }, async (request, reply) => {
    const rows = await listToReview(request.em, request.signedInLearner.id, request.context.clock.now());
    return reply.page('training/again', { noindex: true, learnerCss: true, ...presentToReview(rows) });
  });
}
