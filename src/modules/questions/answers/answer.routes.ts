import type { FastifyPluginAsync } from 'fastify';
import { z } from 'zod';
import { errorAnswers } from '../../../platform/http/answers.ts';
import { withZod } from '../../../platform/http/validators.ts';
import { networkOf } from '../../../platform/limits/network.ts';
import { answerFields, textContexts } from '../../../shared/questions/answer-form.ts';
import { answeredQuestion } from '../../../shared/questions/answered.ts';
import type { FindSigner, ReadsLimit } from '../../content/index.ts';
import { answerLimit } from './answer.limit.ts';
import { authoriseAnswer } from './answer.policy.ts';
import { answerQuestion, findQuestion, questionGone, questionId, shareAsked } from './answer.service.ts';
import { audienceOf, partsAsRead } from './parts-as-read.ts';

export const questionParams = z.object({ id: z.string().regex(questionId, questionGone) });

/** Serves the call that judges an answer. Visitors may answer the questions of open items; nothing of theirs is stored. */
export const answerRoutes: FastifyPluginAsync<{ reads: ReadsLimit; signer: FindSigner }> = async (instance, { reads, signer }) => {
  const app = withZod(instance);
  app.post(
    '/questions/:id/reponse',
    {
      schema: {
        tags: ['Questions'],
        summary: 'Vérifie une réponse et la garde une seule fois ; répond par la question corrigée, en HTML',
        params: questionParams,
        body: z.object({
          ...answerFields,
          cle: z.uuid().meta({ description: 'Clé de la page : la même réponse envoyée deux fois compte une fois' }),
          contexte: z.enum(textContexts).default('text'),
          numero: z.int().positive().max(1000).nullable().default(null).meta({ description: 'Numéro affiché de la question' }),
        }),
        response: { 200: z.object({ juste: z.boolean(), html: z.string() }), ...errorAnswers(400, 401, 403, 404, 409, 429) },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const { contexte: context, numero: number, ...given } = request.body;
      const reader = { userId: request.learner?.id ?? null, now: request.context.clock.now() };
      await answerLimit.consume(reader.userId ?? networkOf(request.ip));
      const asked = await findQuestion(request.em, reader, id);
      await authoriseAnswer(request, reply, asked);
      const { question, answer } = await answerQuestion(request.em, reader, asked, { ...given, context });
      if (reader.userId !== null) await reads.take(request, reader.userId, [asked.itemId], reader.now);
      const shareHref = shareAsked(asked, question, app.siteOrigin(request));
      const parts = [answeredQuestion({ question, key: asked.key, ...answer, number, isListed: asked.access, shareHref })];
      const [html = ''] = await partsAsRead(parts, { em: request.em, signer, audience: audienceOf(asked), now: reader.now });
      return { juste: answer.isRight, html };
    },
  );
};
