import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { AppError } from '../../../platform/errors.ts';
import { withZod } from '../../../platform/http/validators.ts';
import { answerFields } from '../../../shared/questions/answer-form.ts';
import type { FindSigner, ReadsLimit } from '../../content/index.ts';
import { answerLimit } from '../answers/answer.limit.ts';
import { partsAsRead } from '../answers/parts-as-read.ts';
import { pageAbove, pageOfForm, unsentQuery } from '../answers/unsent-answer.ts';
import { attemptHref, begunHref, presentAttempt, presentResult, seriesHref } from './attempt.presenter.ts';
import { beginAttempt } from './attempt.repository.ts';
import { attemptParams, attemptQuestionParams } from './attempt.routes.ts';
import { answerInAttempt, finishAttempt, mistakesOf, openAttempt } from './attempt.service.ts';

declare module '../../../platform/pages/views.ts' {
  interface PageLocals {
    'questions/attempt': ReturnType<typeof presentAttempt>;
    'questions/result': ReturnType<typeof presentResult>;
  }
}

/** Serves an attempt at a series, and its result once it is finished. Without scripts all questions stand one below another. */
export async function attemptPages(instance: FastifyInstance, { reads, signer }: { reads: ReadsLimit; signer: FindSigner }): Promise<void> {
  const app = withZod(instance);
  const url = attemptHref(':id');
  const guarded = { onRequest: [app.requireLearner], config: { formPage: pageAbove } };
  const learnerOf = (request: { signedInLearner: { id: string }; context: { clock: { now(): Date } } }) => ({
    userId: request.signedInLearner.id,
    now: request.context.clock.now(),
  });

  app.get(
    url,
    { preHandler: [app.requireLearner], schema: { params: attemptParams, querystring: z.object(unsentQuery) }, config: { authored: true } },
    async (request, reply) => {
      const learner = learnerOf(request);
      const attempt = await openAttempt(request.em, learner, request.params.id);
      // The study page explains why access is closed.
      if (!attempt.access) return reply.redirect(seriesHref(attempt), 303);
      await reads.take(request, learner.userId, [attempt.itemId], learner.now);
      // Each of its questions has got a fault since.
      if (!attempt.finishedAt && attempt.questions.length === 0) return reply.redirect(`/user/series/${attempt.itemId}`, 303);
      const page = { noindex: true, learnerCss: true };
      const read = (steps: string[]) => partsAsRead(steps, { em: request.em, signer, audience: attempt.prepaId, now: learner.now });
      if (attempt.finishedAt) {
        const result = presentResult(attempt);
        const steps = await read(result.steps);
        return reply.page('questions/result', { ...page, ...result, steps, formulas: steps.some((html) => html.includes('<math')) });
      }
      const shown = presentAttempt(attempt, learner.now, app.siteOrigin(request), request.query);
      const steps = await read(shown.steps);
      return reply.page('questions/attempt', { ...page, ...shown, steps, formulas: steps.some((html) => html.includes('<math')) });
    },
  );

  app.post(
    `${url}/questions/:question`,
    // After the body, so that what was typed comes back after the sign-in, and before its validation.
    {
      preValidation: [app.requireLearner],
      schema: { params: attemptQuestionParams, body: z.object(answerFields) },
      config: { formPage: pageOfForm },
    },
    async (request, reply) => {
      const { id, question } = request.params;
      const learner = learnerOf(request);
      await answerLimit.consume(learner.userId);
      try {
        await answerInAttempt(request.em, learner, id, question, request.body);
      } catch (error) {
        if (!(error instanceof AppError) || !['QUESTION.ANSWER', 'SERIES.ENDED'].includes(error.code)) throw error;
        reply.flash('warning', error.message);
      }
      return reply.redirect(`${attemptHref(id)}#q-${question}`, 303);
    },
  );

  app.post(`${url}/fin`, { ...guarded, schema: { params: attemptParams } }, async (request, reply) => {
    await finishAttempt(request.em, learnerOf(request), request.params.id);
    return reply.redirect(attemptHref(request.params.id), 303);
  });

  // 'Refaire mes erreurs': a further attempt with the questions that were not answered right.
  app.post(`${url}/erreurs`, { ...guarded, schema: { params: attemptParams } }, async (request, reply) => {
    const learner = learnerOf(request);
    const attempt = await openAttempt(request.em, learner, request.params.id);
    const asked = mistakesOf(attempt);
    if (!attempt.finishedAt || asked.length === 0) return reply.redirect(attemptHref(attempt.id), 303);
    const { itemId } = attempt;
    const begun = await beginAttempt(request.em, { ...learner, itemId, id: randomUUID(), mode: 'learn', asked });
    return reply.redirect(begun === null ? seriesHref(attempt) : begunHref(begun, itemId), 303);
  });
}
