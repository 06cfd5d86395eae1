import type { FastifyPluginAsync } from 'fastify';
import type { ModuleKernel } from '../../platform/kernel-access.ts';
import { isFormPost, wantsHtml } from '../../platform/negotiation.ts';
import { answerForm } from './form-answer.ts';
import { sendAuthPage } from './identity.pages.ts';
import { presentLearner } from './learner.presenter.ts';
import { type LearnerLimits, registerLearner, signIn } from './learner.service.ts';
import { localPath } from './return-path.ts';
import { learnerTransport } from './session-transport.ts';
import { learnerSessions } from './sessions.ts';

/** Registration, sign-in, sign-out and verification: JSON for programs, redirects and pages for plain forms. */
export const identityRoutes: FastifyPluginAsync<{ kernel: ModuleKernel; limits: LearnerLimits }> = async (app, { kernel, limits }) => {
  const { allowedEmailDomains } = kernel.config;

  app.post('/users/register', async (request, reply) => {
    return answerForm(
      request,
      async (form) => {
        await limits.registrationPerAddress.consume(request.ip);
        const learner = await registerLearner(request.em, request.context, form, allowedEmailDomains);
        const signedIn = form.connexion !== false && form.connexion !== 'non' && form.connexion !== 'false';
        const session = signedIn ? await learnerSessions.open(request.em, request.context.clock, learner.id) : null;
        if (session) learnerTransport.send(request, reply, session);
        if (session || isFormPost(request)) reply.flash('success', 'Inscription réussie !');
        if (isFormPost(request)) return reply.redirect(session ? localPath(form.suite) : '/login', 303);
        return reply
          .code(201)
          .send({ message: 'Inscription réussie !', user: presentLearner(learner), ...(session ? { token: session.token } : {}) });
      },
      (refused) => sendAuthPage(request, reply, 'inscription', refused),
    );
  });

  app.post('/users/login', async (request, reply) => {
    return answerForm(
      request,
      async (form) => {
        const { learner, session } = await signIn(request.em, request.context, form, limits, request.ip);
        // Rotated: the session presented so far ends with this sign-in.
        const previous = learnerTransport.presented(request);
        if (previous) await learnerSessions.close(request.em, request.context.clock, previous);
        learnerTransport.send(request, reply, session);
        reply.flash('success', 'Connexion réussie !');
        if (isFormPost(request)) return reply.redirect(localPath(form.suite), 303);
        return reply.send({ message: 'Connexion réussie !', user: presentLearner(learner), token: session.token });
      },
      (refused) => sendAuthPage(request, reply, 'connexion', refused),
    );
  });

  app.post('/users/logout', async (request, reply) => {
    const token = learnerTransport.presented(request);
    if (token) await learnerSessions.close(request.em, request.context.clock, token);
    learnerTransport.clear(request, reply);
    if (wantsHtml(request)) return reply.flash('success', 'Déconnexion réussie').redirect('/', 303);
    return reply.send({ message: 'Déconnexion réussie' });
  });

  app.get('/users/verify', { preHandler: [app.requireLearner] }, async (request) => {
    return request.learner ? presentLearner(request.learner) : null;
  });
};
