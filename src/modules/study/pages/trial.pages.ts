import type { FastifyInstance } from 'fastify';
import { notFound } from '../../../platform/errors.ts';
import { withZod } from '../../../platform/http/validators.ts';
import type { PageData } from '../../../platform/pages/views.ts';
import type { ModuleKernel } from '../../../platform/use-cases/kernel-access.ts';
import { diagnosticLink } from '../../../shared/questions/diagnostic.ts';
import { coverPreview } from '../../catalogue/index.ts';
import { endOfAddresses, type FindSigner, withSignedPictures } from '../../content/index.ts';
import { endAfterExtension, isActive, refusalReason } from '../../enrolment/index.ts';
import { type PaymentProviders, paymentDialog, presentAttemptAt } from '../../payment/index.ts';
import { movedItemHref } from './moved-item.ts';
import { presentStudy, presentUnlock } from './study.presenter.ts';
import { findStudy, findTrialVersions } from './study.repository.ts';
import { studyParams, studyQuery } from './study-query.ts';

const unavailable = "Cette discipline n'existe pas ou n'est plus disponible.";

/** Serves the trial study page, also to visitors: the first item of each section is readable, the others are locked. */
export async function trialPages(
  instance: FastifyInstance,
  { kernel, signer }: { kernel: ModuleKernel & { providers: PaymentProviders }; signer: FindSigner },
): Promise<void> {
  const app = withZod(instance);

  app.get(
    '/user/prepa/consultation/:prepaId/:disciplineId',
    { schema: { params: studyParams }, config: { earlyHeader: true, paymentProvider: true, authored: true } },
    async (request, reply) => {
      const { prepaId, disciplineId } = request.params;
      const asked = studyQuery(request.query);
      const base = `/user/prepa/consultation/${prepaId}/${disciplineId}`;
      const { learner } = request;
      const now = request.context.clock.now();
      const versions = await findTrialVersions(request.em, { userId: learner?.id ?? null, prepaId, disciplineId, item: asked });
      const enrolment = versions.enrolmentId === null ? null : versions;
      if (enrolment && isActive(enrolment, now)) return reply.redirect(request.url.replace('/consultation/', '/'), 303);
      if (!versions.isPublished) throw notFound(unavailable);
      if (asked && versions.itemId === null) {
        const href = await movedItemHref(request.em, { item: asked, disciplineId, userId: learner?.id ?? null, now });
        if (href) return reply.redirect(href, 303);
        throw notFound("Ce contenu n'existe pas ou n'existe plus.");
      }
      if (asked && !versions.open) {
        return reply.flash('warning', 'Ce contenu est réservé aux candidats inscrits à cette préparation.').redirect(base, 303);
      }
      const visitor = learner === null;
      const attempts = presentAttemptAt(kernel.providers, prepaId, versions.attempt);
      const dialog = { prepa: null, until: endAfterExtension(null, now), trial: true, attempts };
      const paymentIsland = visitor ? '' : paymentDialog(reply, kernel, dialog);
      const present = async (): Promise<PageData<'study/study'>> => {
        const study = await findStudy(request.em, prepaId, disciplineId, versions.itemId, versions);
        if (!study) throw notFound(unavailable);
        const texts = await withSignedPictures(study, { em: request.em, signer, audience: 'libre', now });
        const { title, formulas, prepa, discipline, island } = presentStudy(texts, { trial: true, base, keep: null });
        const origin = app.siteOrigin(request);
        return {
          title,
          formulas,
          description: study.disciplineDescription,
          canonical: `${origin}${base}`,
          ...(study.image ? { og: coverPreview(study.image, origin) } : {}),
          trial: true,
          visitor,
          reason: enrolment ? refusalReason(enrolment, now) : null,
          unlock: presentUnlock(versions.locked ?? 0, prepa.prix),
          diagnostic: diagnosticLink(prepaId, disciplineId, versions.diagnostic ?? 0),
          prepa,
          discipline,
          studyIsland: reply.island('study', island.props, island.slots),
          paymentIsland,
        };
      };
      // The end of an access is personal, so this page is not cached.
      if (enrolment) return reply.framedPage('study/study', await present());
      const { prepaVersion, disciplineVersion, outlineVersion, itemId, itemVersion } = versions;
      const shown = [
        disciplineId,
        itemId,
        prepaVersion,
        disciplineVersion,
        outlineVersion,
        itemVersion,
        versions.locked,
        versions.diagnostic,
        visitor,
        paymentIsland,
        endOfAddresses(now),
      ];
      return reply.versionedPage('study/study', shown, present);
    },
  );
}
