import fp from 'fastify-plugin';
import { registerCalls } from '../../platform/http/calls.ts';
import { Answer } from './answers/answer.entity.ts';
import { answerRoutes } from './answers/answer.routes.ts';
import { questionPages } from './answers/question.pages.ts';
import { QuestionState } from './answers/question-state.entity.ts';
import { subscribe } from './retention/learner.subscriptions.ts';

/** Learners' answers to the questions of texts. The questions themselves belong to `content`, which stores them with their texts. */
const plugin = fp(
  async (app) => {
    const { readsLimit: reads, pictureSigner: signer } = app;
    await registerCalls(app, answerRoutes, { reads, signer });
    await app.register(questionPages, { reads, signer });
  },
  { name: 'questions', dependencies: ['training'] },
);

export const questions = { plugin, entities: [Answer, QuestionState], subscribe };
