import type { FastifyPluginAsync } from 'fastify';
import { z } from 'zod';
import { errorAnswers } from '../../../platform/http/answers.ts';
import { uuidSchema, withZod } from '../../../platform/http/validators.ts';
import { answerFields } from '../../../shared/questions/answer-form.ts';
import { numberOf, presentQuestion } from '../../../shared/revision/session-page.ts';
import type { FindSigner, ReadsLimit } from '../../content/index.ts';
import { answerLimit, partsAsRead, questionGone } from '../../questions/index.ts';
import { answerInSession } from './session.service.ts';

export const sessionParams = z.object({ id: uuidSchema('Séance inconnue') });
export const sessionQuestionParams = z.object({ ...sessionParams.shape, question: z.string().regex(/^[a-z0-9]{12}$/, questionGone) });

/** Serves the call that answers a question of a daily session. */
export const sessionRoutes: FastifyPluginAsync<{ reads: ReadsLimit; signer: FindSigner }> = async (instance, { reads, signer }) => {
  const app = withZod(instance);
  app.post(
    '/seances/:id/questions/:question',
    {
      onRequest: [app.requireLearner],
      schema: {
        tags: ['Questions'],
        summary: 'Répond à une question de la séance du jour ; répond par la question corrigée, en HTML',
        params: sessionQuestionParams,
        body: z.object({
          ...answerFields,
          secondes: z.int().min(0).nullable().catch(null).default(null).meta({ description: 'Temps de réponse, en secondes' }),
        }),
        response: { 200: z.object({ juste: z.boolean(), html: z.string() }), ...errorAnswers(400, 401, 403, 404, 409, 429) },
      },
    },
    async (request) => {
      const { id, question: questionId } = request.params;
      const learner = { userId: request.signedInLearner.id, now: request.context.clock.now() };
      await answerLimit.consume(learner.userId);
      const { session, question } = await answerInSession(request.em, learner, id, questionId, request.body);
      await reads.take(request, learner.userId, [question.itemId], learner.now);
      const parts = [presentQuestion(session, question, numberOf(session, questionId), { origin: app.siteOrigin(request) })];
      const [html = ''] = await partsAsRead(parts, { em: request.em, signer, audience: session.prepaId, now: learner.now });
      return { juste: question.answer?.isRight ?? false, html };
    },
  );
};
