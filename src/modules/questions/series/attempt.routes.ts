import type { FastifyPluginAsync } from 'fastify';
import { z } from 'zod';
import { errorAnswers } from '../../../platform/http/answers.ts';
import { uuidSchema, withZod } from '../../../platform/http/validators.ts';
import { answerFields } from '../../../shared/questions/answer-form.ts';
import type { FindSigner, ReadsLimit } from '../../content/index.ts';
import { answerLimit } from '../answers/answer.limit.ts';
import { questionGone, questionId } from '../answers/answer.service.ts';
import { partsAsRead } from '../answers/parts-as-read.ts';
import { presentOneAnswered } from './attempt.presenter.ts';
import { answerInAttempt } from './attempt.service.ts';

/** Parameters of an attempt's addresses. */
export const attemptParams = z.object({ id: uuidSchema('Série inconnue') });
export const attemptQuestionParams = z.object({
  ...attemptParams.shape,
  question: z.string().regex(questionId, questionGone),
});

/** Serves the call that answers a question of an attempt. */
export const attemptRoutes: FastifyPluginAsync<{ reads: ReadsLimit; signer: FindSigner }> = async (instance, { reads, signer }) => {
  const app = withZod(instance);
  app.post(
    '/series/tentatives/:id/questions/:question',
    {
      onRequest: [app.requireLearner],
      schema: {
        tags: ['Questions'],
        summary: "Répond à une question d'une série : corrigée aussitôt en HTML, ou gardée jusqu'à la fin « Comme à l'examen »",
        params: attemptQuestionParams,
        body: z.object(answerFields),
        response: {
          200: z.object({ juste: z.boolean().optional(), html: z.string().optional() }),
          ...errorAnswers(400, 401, 403, 404, 409, 429),
        },
      },
    },
    async (request) => {
      const { id, question: questionId } = request.params;
      const learner = { userId: request.signedInLearner.id, now: request.context.clock.now() };
      await answerLimit.consume(learner.userId);
      const { attempt, question } = await answerInAttempt(request.em, learner, id, questionId, request.body);
      await reads.take(request, learner.userId, [attempt.itemId], learner.now);
      if (attempt.mode === 'exam' || !question.answer) return {};
      const parts = [presentOneAnswered(attempt, questionId, app.siteOrigin(request))];
      const [html] = await partsAsRead(parts, { em: request.em, signer, audience: attempt.prepaId, now: learner.now });
      return { juste: question.answer.isRight, html };
    },
  );
};
