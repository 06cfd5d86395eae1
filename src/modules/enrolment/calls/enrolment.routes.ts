import type { FastifyPluginAsync } from 'fastify';
import { z } from 'zod';
import { notFound } from '../../../platform/errors.ts';
import { idParams, idSchema, withZod } from '../../../platform/http/validators.ts';
import { findDiscipline, listDisciplines, presentDiscipline, presentPrepa } from '../../catalogue/index.ts';
import type { PaymentProviders } from '../../payment/index.ts';
import { enrolmentStatuses } from '../access/enrolment.entity.ts';
import { viewerOf, visiblePrepa } from '../access/enrolment.policy.ts';
import { presentEnrolment } from '../access/enrolment.presenter.ts';
import { findEnrolment, listOfLearner } from '../access/enrolment.repository.ts';
import { confirmEnrolment } from './confirmation.service.ts';

/** An enrolment as calls return it (specification §3). */
const enrolmentAnswer = z.object({
  id: z.int(),
  prepa_id: z.int().nullable().meta({ description: 'null : la préparation a été supprimée' }),
  prepa_nom: z.string(),
  statut: z.enum(enrolmentStatuses),
  date_inscription: z.iso.datetime(),
  date_expiration: z.iso.datetime(),
});

/** Calls on the learner's enrolments, and the catalogue's reads that depend on an enrolment. */
export const enrolmentRoutes: FastifyPluginAsync<{ providers: PaymentProviders }> = async (instance, { providers }) => {
  const app = withZod(instance);
  const learnerOnly = { preHandler: [app.requireLearner] };
  const shared = { config: { audience: 'shared' as const } };

  for (const url of ['/inscriptions/user/inscriptions', '/inscriptions/check-and-update']) {
    const schema = {
      tags: ['Inscriptions'],
      summary: 'Inscriptions du candidat ; une fin passée se lit « expired » aussitôt',
      response: { 200: z.array(enrolmentAnswer) },
    };
    app.get(url, { ...learnerOnly, schema }, async (request) => {
      const learner = request.signedInLearner;
      const now = request.context.clock.now();
      return (await listOfLearner(request.em, learner.id)).map((enrolment) => presentEnrolment(enrolment, now));
    });
  }

  app.post('/inscriptions/confirm', { ...learnerOnly, schema: { body: z.object({ prepaId: idSchema }) } }, async (request) => {
    const learner = request.signedInLearner;
    await app.verificationLimit.consume(learner.id);
    const { prepaId } = request.body;
    const outcome = await confirmEnrolment(request.em, request.context, providers, { userId: learner.id, prepaId });
    const enrolment = outcome.status === 'success' ? await findEnrolment(request.em, learner.id, prepaId) : null;
    return { ...outcome, ...(enrolment ? { inscription: presentEnrolment(enrolment, request.context.clock.now()) } : {}) };
  });

  app.get('/prepas/:id', { ...shared, schema: { params: idParams } }, async (request) =>
    presentPrepa(await visiblePrepa(request.em, request.params.id, viewerOf(request))),
  );

  app.get('/disciplines/:id', { ...shared, schema: { params: idParams } }, async (request) => {
    const discipline = await findDiscipline(request.em, request.params.id);
    if (!discipline) throw notFound("Cette discipline n'existe pas ou n'est plus disponible.");
    if (!discipline.isPublished) {
      await visiblePrepa(request.em, discipline.prepaId, viewerOf(request));
    }
    return presentDiscipline(discipline);
  });

  app.get('/disciplines-user/prepa/:id', { ...shared, schema: { params: idParams } }, async (request) => {
    const prepa = await visiblePrepa(request.em, request.params.id, viewerOf(request));
    return (await listDisciplines(request.em, prepa.id)).map(presentDiscipline);
  });
};
