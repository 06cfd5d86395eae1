import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { notFound } from '../../../platform/errors.ts';
import { withZod } from '../../../platform/http/validators.ts';
import type { PageData } from '../../../platform/pages/views.ts';
import { keepingLink } from '../../../shared/offline/keeping-link.ts';
import type { DiagnosticLink } from '../../../shared/questions/diagnostic.ts';
import { endOfAddresses, type FindSigner, type ReadsLimit, withSignedPictures } from '../../content/index.ts';
import { findEnrolment, flashNotEnrolled } from '../../enrolment/index.ts';
import { readBesideSession } from '../../identity/index.ts';
import type { ReadingJournal } from '../progress/reading-journal.ts';
import { movedItemHref } from './moved-item.ts';
import { isPageView } from './page-view.ts';
import { presentStudy } from './study.presenter.ts';
import { findStudy, findStudyVersions, type StudyVersions } from './study.repository.ts';
import { studyParams, studyQuery } from './study-query.ts';
import { asStudyText } from './study-text.ts';

declare module '../../../platform/pages/views.ts' {
  interface PageLocals {
    'study/study': Pick<ReturnType<typeof presentStudy>, 'prepa' | 'discipline'> & {
      trial: boolean;
      visitor: boolean;
      /** Reason for showing only the trial, when the learner had access before. */
      reason: string | null;
      /** 'Débloquer les 19 autres contenus : 15 000 XAF, 30 jours'; null when no item is locked. */
      unlock: string | null;
      /** Only in a trial. */
      diagnostic: DiagnosticLink;
      /** HTML of the list of items and the text. */
      studyIsland: string;
      /** HTML of the payment dialog; only in a learner's trial. */
      paymentIsland: string;
    };
  }
}

/**
 * Serves the study page, the site's most requested page.
 * One statement per request looks up the session, the access and the versions. The page itself comes compressed from a cache; only
 * the personal part of the header is rendered per request.
 */
export async function studyPages(
  instance: FastifyInstance,
  { journal, reads, signer, offline }: { journal: ReadingJournal; reads: ReadsLimit; signer: FindSigner; offline: boolean },
): Promise<void> {
  const app = withZod(instance);
  app.get(
    '/user/prepa/:prepaId/:disciplineId',
    {
      schema: { params: studyParams },
      config: { ownSession: true, lightHeader: true, authored: true, back: '/user/prepa/:prepaId' },
    },
    async (request, reply) => {
      const { prepaId, disciplineId } = request.params;
      const now = request.context.clock.now();
      let item: ReturnType<typeof studyQuery> = null;
      const versions = await readBesideSession(request, reply, async (session) => {
        item = studyQuery(request.query);
        return findStudyVersions(request.em, { session, now, prepaId, disciplineId, item });
      });
      if (!versions) return reply;
      if (versions.access === null) throw notFound("Cette discipline n'existe pas ou n'est plus disponible.");
      if (!versions.access) {
        // The trial page itself says that an access has ended.
        if (!(await findEnrolment(request.em, versions.learnerId, prepaId))) await flashNotEnrolled(request, reply, prepaId);
        return reply.redirect(`/user/prepa/consultation/${prepaId}/${disciplineId}`, 303);
      }
      if (item && versions.itemId === null) {
        const href = await movedItemHref(request.em, { item, disciplineId, userId: versions.learnerId, now });
        if (href) return reply.redirect(href, 303);
        throw notFound("Ce contenu n'existe pas ou n'existe plus.");
      }

      if (versions.itemId !== null) await reads.take(request, versions.learnerId, [versions.itemId], now);
      if (versions.itemId !== null && isPageView(request)) {
        journal.note({ userId: versions.learnerId, itemId: versions.itemId, at: now, asked: item !== null });
      }
      const { itemId, prepaVersion, disciplineVersion, outlineVersion, itemVersion } = versions;
      const shown = [
        disciplineId,
        itemId,
        item === null,
        prepaVersion,
        disciplineVersion,
        outlineVersion,
        itemVersion,
        endOfAddresses(now),
        offline,
      ];
      return reply.versionedPage('study/study', shown, () => present(request, reply, { prepaId, disciplineId, versions }));
    },
  );

  async function present(
    request: FastifyRequest,
    reply: FastifyReply,
    { prepaId, disciplineId, versions }: { prepaId: number; disciplineId: number; versions: StudyVersions },
  ): Promise<PageData<'study/study'>> {
    const { em, context } = request;
    const study = await findStudy(em, prepaId, disciplineId, versions.itemId, versions);
    if (!study) throw notFound("Cette discipline n'existe pas ou n'est plus disponible.");
    const shown = await withSignedPictures(asStudyText({ ...study, id: study.itemId ?? 0 }), {
      em,
      signer,
      audience: prepaId,
      now: context.clock.now(),
    });
    const { title, formulas, prepa, discipline, island } = presentStudy(shown, {
      trial: false,
      base: `/user/prepa/${prepaId}/${disciplineId}`,
      keep: offline ? keepingLink(prepaId, { discipline: disciplineId }) : null,
    });
    return {
      title,
      formulas,
      noindex: true,
      trial: false,
      visitor: false,
      reason: null,
      unlock: null,
      diagnostic: null,
      prepa,
      discipline,
      studyIsland: reply.island('study', island.props, island.slots),
      paymentIsland: '',
    };
  }
}
