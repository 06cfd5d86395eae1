import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { notFound } from '../../../platform/errors.ts';
import { idSchema, withZod } from '../../../platform/http/validators.ts';
import { formatDate } from '../../../shared/dates.ts';
import { type ItemKind, itemKinds } from '../../../shared/item-kinds.ts';
import { asRead } from '../../../shared/rich-text/as-read.ts';
import { type FindSigner, withSignedPictures } from '../items/images/picture-address.ts';
import { presentDocument, presentPlace } from '../items/item.presenter.ts';
import type { ReadsLimit } from '../items/reads-limit.ts';
import { isPageView } from '../study/page-view.ts';
import type { ReadingJournal } from '../study/reading-journal.ts';
import { studyParams, studyQuery } from '../study/study-query.ts';
import { type Verdict, verdicts } from './practice.entity.ts';
import { findPractice, keepVerdict, listToReview, maxToReview, type PracticeAddress } from './practice.repository.ts';

const markBody = z.object({
  type: z.enum(itemKinds, { error: 'Type de contenu non reconnu' }),
  item: idSchema,
  verdict: z.enum(verdicts, { error: 'Indiquez si vous avez réussi ou si le sujet est à revoir' }),
});

/** What one may choose from when a subject does not say how long it takes, in minutes. */
const durations = [15, 30, 60, 120, 180];
const verdictLabels: Record<Verdict, string> = { reussi: 'réussi', a_revoir: 'à revoir' };
const gone = "Ce contenu n'existe pas ou n'existe plus.";

declare module '../../../platform/pages/views.ts' {
  interface PageLocals {
    'content/practice': {
      place: string;
      titre: string;
      type: ItemKind;
      item: number;
      /** The study page of the item. */
      study: string;
      /** This page without its query string. */
      base: string;
      /** Names this practice of this learner, until it is marked; the timer keeps its time under this name. */
      run: string;
      /** Advised minutes. */
      duree: number | null;
      /** Minutes to choose from. */
      durations: number[];
      /** HTML of the text. */
      contenu: string;
      /** HTML of the correction once it has been asked for (?corrige=oui): it is not in the page before. */
      corrige: string | null;
      /** With the correction. */
      documents: ReturnType<typeof presentDocument>[];
      /** What it was the time before. */
      last: string | null;
    };
    'content/again': {
      /** How many are listed at most, when there may be more. */
      most: number | null;
      items: { titre: string; place: string; href: string; date: string; times: number }[];
    };
  }
}

/** Exercises and past subjects as practice: the text alone, then the correction beside it, then one's own mark. */
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
      if (!practice) throw notFound(gone);
      const item = `type=${asked.kind}&item=${asked.id}`;
      // The study page says why it is closed, and where else to go.
      if (!practice.access) return reply.redirect(`${study}?${item}`, 303);
      if (!practice.hasCorrection) {
        return reply.flash('info', "Ce contenu n'a pas de corrigé : il se lit ici.").redirect(`${study}?${item}`, 303);
      }
      reads.take(request, learner.id, [asked.id], now);
      if (isPageView(request)) journal.note({ userId: learner.id, itemId: asked.id, at: now, asked: true });
      const { titre, duree, verdict, documents } = practice;
      const { contenu, corrige } = await withSignedPictures(practice, { em: request.em, signer, audience: prepaId, now });
      return reply.page('content/practice', {
        title: `Entraînement : ${titre}`,
        noindex: true,
        learnerCss: true,
        place: presentPlace({ ...practice, kind: asked.kind }),
        titre,
        type: asked.kind,
        item: asked.id,
        study: `${study}?${item}`,
        base: `${study}/entrainement`,
        run: [learner.id, asked.id, practice.markedAt?.getTime() ?? 0].join('.'),
        duree,
        durations: [...new Set([...durations, ...(duree === null ? [] : [duree])])].sort((one, other) => one - other),
        contenu: asRead(contenu),
        corrige: corrige === null ? null : asRead(corrige),
        documents: documents.map(presentDocument),
        last: verdict && verdictLabels[verdict],
      });
    },
  );

  // Who it is comes before what was sent.
  app.post(url, { onRequest: [app.requireLearner], schema: { params: studyParams, body: markBody } }, async (request, reply) => {
    const learner = request.signedInLearner;
    const { prepaId, disciplineId } = request.params;
    const { type, item, verdict } = request.body;
    const now = request.context.clock.now();
    const address: PracticeAddress = { userId: learner.id, now, prepaId, disciplineId, kind: type, itemId: item };
    const kept = await keepVerdict(request.em, address, verdict);
    // Closed meanwhile: the study page says why. Otherwise there is nothing that could be marked.
    if (!kept && (await findPractice(request.em, address, false))?.access !== false) throw notFound(gone);
    return reply.redirect(`/user/prepa/${prepaId}/${disciplineId}${kept ? '/suite' : ''}?type=${type}&item=${item}`, 303);
  });

  app.get('/user/a-revoir', { preHandler: [app.requireLearner], config: { back: '/user/dashboard' } }, async (request, reply) => {
    const rows = await listToReview(request.em, request.signedInLearner.id, request.context.clock.now());
    return reply.page('content/again', {
      title: 'À revoir',
      noindex: true,
      learnerCss: true,
      most: rows.length === maxToReview ? maxToReview : null,
      items: rows.map((row) => ({
        titre: row.titre,
        place: presentPlace(row),
        href: `/user/prepa/${row.prepaId}/${row.disciplineId}/entrainement?type=${row.kind}&item=${row.id}`,
        date: formatDate(row.markedAt),
        times: row.times,
      })),
    });
  });
}
