import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { errorAnswers } from '../../../../platform/http/answers.ts';
import { idParams, withZod } from '../../../../platform/http/validators.ts';
import { networkOf } from '../../../../platform/limits/network.ts';
import { requestLimit } from '../../../../platform/limits/request-limit.ts';
import { batchSchema, handInSchema } from '../../../../shared/exams/exam-calls.ts';
import { requireExam } from '../exam/exam.policy.ts';
import { findForCandidate } from '../exam/exam.repository.ts';
import { beginSitting, type Candidate, handIn, networkHash, readParticipation, takeBatch } from './sitting.service.ts';

/** Requests of a sitting that one learner may send per minute. Pages send a batch every 15 s, those without storage one for each answer. */
const requestsPerMinute = 40;
const sittingLimit = requestLimit('exams.sitting', requestsPerMinute);
/** Times per minute that one learner may read their sitting with all its answers: pages do when they open, and at a new device. */
const readingsPerMinute = 30;
const readingLimit = requestLimit('exams.reading', readingsPerMinute);
/** Largest body: a batch of 300 typed answers, in bytes. */
const bodyLimit = 256 * 1024;

const tags = ['Concours blancs'];
const moment = z.int().meta({ description: 'En millisecondes depuis 1970' });
const sittingAnswer = z
  .object({
    maintenant: moment,
    candidat: z.string().optional().meta({ description: 'Nomme le candidat à ses appareils' }),
    debut: moment,
    fin: moment,
    grace: z.int().meta({ description: 'Minutes' }),
    remis: z.object({ le: moment, recu: z.string(), fin: z.enum(['candidate', 'time', 'site']) }).nullable(),
    tard: z.boolean().optional().meta({ description: 'Des réponses sont arrivées après le délai' }),
    appareils: z.array(z.object({ id: z.string(), numero: z.int() })),
  })
  .meta({ id: 'ExamSitting' });
const participationAnswer = z.object({
  maintenant: moment,
  candidat: z.string().optional(),
  sitting: sittingAnswer.nullable(),
  reponses: z.array(
    z.object({ q: z.string(), g: z.union([z.object({ choices: z.array(z.string()) }), z.object({ typed: z.string() })]), t: moment }),
  ),
});
const startBody = z.object({ debut: z.int().min(0).max(8_640_000_000_000_000), appareil: z.guid().optional() });

/** Returns who sits the exam, after counting the request. @throws AppError 429 */
export async function candidateOf(request: FastifyRequest, examId: number): Promise<Candidate> {
  const { id: userId } = request.signedInLearner;
  await sittingLimit.consume(userId);
  return { userId, examId, network: await networkHash(request.em, networkOf(request.ip)) };
}

/** Serves the calls of a sitting. */
export const sittingRoutes: FastifyPluginAsync = async (instance) => {
  const app = withZod(instance);
  const url = '/concours-blancs/:id';
  // The session is checked before the body is read and validated.
  const guarded = { onRequest: [app.requireLearner], bodyLimit };
  const response = { 200: sittingAnswer, ...errorAnswers(400, 401, 403, 404, 409, 413, 429) };

  app.get(
    `${url}/participation`,
    {
      preHandler: [app.requireLearner],
      schema: {
        tags,
        summary: 'La participation du candidat, et les réponses que le serveur a reçues',
        params: idParams,
        response: { 200: participationAnswer, ...errorAnswers(401, 404, 429) },
      },
      config: { load: 'essential' },
    },
    async (request, reply) => {
      const { id: userId } = request.signedInLearner;
      const exam = requireExam(await findForCandidate(request.em, userId, request.params.id, request.context.clock.now()));
      if (exam.sitting) await readingLimit.consume(userId);
      reply.header('cache-control', 'private, no-store');
      return readParticipation(request.em, request.context, userId, exam);
    },
  );

  app.post(
    `${url}/participation`,
    { ...guarded, schema: { tags, summary: 'Commence la participation du candidat', params: idParams, body: startBody, response } },
    async (request) => beginSitting(request.em, request.context, await candidateOf(request, request.params.id), request.body.debut),
  );

  app.post(
    `${url}/reponses`,
    { ...guarded, schema: { tags, summary: 'Garde un lot de réponses, une seule fois', params: idParams, body: batchSchema, response } },
    async (request) => takeBatch(request.em, request.context, await candidateOf(request, request.params.id), request.body),
  );

  app.post(
    `${url}/remise`,
    { ...guarded, schema: { tags, summary: 'Remet la copie avec ses dernières réponses', params: idParams, body: handInSchema, response } },
    async (request) => handIn(request.em, request.context, await candidateOf(request, request.params.id), request.body),
  );
};
