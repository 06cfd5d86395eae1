import type { FastifyInstance } from 'fastify';
import { notFound } from '../../../platform/errors.ts';
import { withZod } from '../../../platform/http/validators.ts';
import type { ModuleKernel } from '../../../platform/use-cases/kernel-access.ts';
import { coverPreview } from '../../catalogue/index.ts';
import { endAfterExtension, findEnrolment, isActive, refusalReason } from '../../enrolment/index.ts';
import { type PaymentProviders, paymentDialog } from '../../payment/index.ts';
import { presentStudy, presentUnlock } from './study.presenter.ts';
import { findStudy } from './study.repository.ts';
import { studyParams, studyQuery } from './study-query.ts';

/** The trial study page, for visitors too: the first item of each section, the others locked. */
export async function trialPages(
  instance: FastifyInstance,
  { kernel }: { kernel: ModuleKernel & { providers: PaymentProviders } },
): Promise<void> {
  const app = withZod(instance);

  app.get(
    '/user/prepa/consultation/:prepaId/:disciplineId',
    { schema: { params: studyParams }, config: { paymentProvider: true, authored: true } },
    async (request, reply) => {
      const { prepaId, disciplineId } = request.params;
      const asked = studyQuery(request.query);
      const base = `/user/prepa/consultation/${prepaId}/${disciplineId}`;
      const { learner } = request;
      const now = request.context.clock.now();
      const enrolment = learner ? await findEnrolment(request.em, learner.id, prepaId) : null;
      if (enrolment && isActive(enrolment, now)) return reply.redirect(request.url.replace('/consultation/', '/'), 303);
      const study = await findStudy(request.em, prepaId, disciplineId, asked?.id ?? null);
      if (!study?.isPublished) throw notFound("Cette discipline n'existe pas ou n'est plus disponible.");
      if (asked && (study.itemId === null || study.kind !== asked.kind)) throw notFound("Ce contenu n'existe pas ou n'existe plus.");
      if (asked && study.outline.find(({ kind }) => kind === asked.kind)?.id !== asked.id) {
        return reply.flash('warning', 'Ce contenu est réservé aux candidats inscrits à cette préparation.').redirect(base, 303);
      }
      const { title, formulas, prepa, discipline, island } = presentStudy(study, { trial: true, base });
      const origin = app.siteOrigin(request);
      return reply.page('content/study', {
        title,
        formulas,
        description: study.disciplineDescription,
        canonical: `${origin}${base}`,
        ...(study.image ? { og: coverPreview(study.image, origin) } : {}),
        trial: true,
        visitor: learner === null,
        reason: enrolment ? refusalReason(enrolment, now) : null,
        unlock: presentUnlock(island.props.sections, prepa.prix),
        prepa,
        discipline,
        studyIsland: reply.island('study', island.props, island.slots),
        paymentIsland: learner ? paymentDialog(reply, kernel, { prepa: null, until: endAfterExtension(null, now), trial: true }) : '',
      });
    },
  );
}
