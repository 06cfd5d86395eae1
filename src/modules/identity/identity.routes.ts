import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../platform/errors.ts';
import type { ModuleKernel } from '../../platform/kernel-access.ts';
import { isFormPost, wantsHtml } from '../../platform/negotiation.ts';
import { sendAuthPage } from './identity.pages.ts';
import { presentLearner } from './learner.presenter.ts';
import { type LearnerLimits, registerLearner, signIn } from './learner.service.ts';
import { localPath } from './return-path.ts';
import { learnerTransport } from './session-transport.ts';
import { learnerSessions } from './sessions.ts';

type Form = Record<string, unknown>;

/** Registration, sign-in, sign-out and verification: JSON for programs, redirects and pages for plain forms. */
export const identityRoutes: FastifyPluginAsync<{ kernel: ModuleKernel; limits: LearnerLimits }> = async (app, { kernel, limits }) => {
  const { allowedEmailDomains } = kernel.config;

  app.post('/users/register', async (request, reply) => {
    const form = readForm(request);
    return answerForm(request, reply, 'inscription', async () => {
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
    });
  });

  app.post('/users/login', async (request, reply) => {
    const form = readForm(request);
    return answerForm(request, reply, 'connexion', async () => {
      const { learner, session } = await signIn(request.em, request.context, form, limits, request.ip);
      // Rotated: the session presented so far ends with this sign-in.
      const previous = learnerTransport.presented(request);
      if (previous) await learnerSessions.close(request.em, request.context.clock, previous);
      learnerTransport.send(request, reply, session);
      reply.flash('success', 'Connexion réussie !');
      if (isFormPost(request)) return reply.redirect(localPath(form.suite), 303);
      return reply.send({ message: 'Connexion réussie !', user: presentLearner(learner), token: session.token });
    });
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

/** A body that is not an object of fields is an empty form: every required field then says so. */
function readForm(request: FastifyRequest): Form {
  const { body } = request;
  return typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as Form) : {};
}

/** A plain form's fault comes back as the form's own page, with what was typed and every message; a program gets JSON. */
async function answerForm(
  request: FastifyRequest,
  reply: FastifyReply,
  view: 'connexion' | 'inscription',
  handle: () => Promise<FastifyReply>,
): Promise<FastifyReply> {
  try {
    return await handle();
  } catch (error) {
    if (!(error instanceof AppError) || !isFormPost(request) || !wantsHtml(request)) throw error;
    return sendAuthPage(request, reply, view, { form: readForm(request), error });
  }
}
