import type { FastifyPluginAsync } from 'fastify';
import { errorAnswers, messageAnswer } from '../../../platform/http/answers.ts';
import { describedBody } from '../../../platform/http/described-body.ts';
import { isFormPost, wantsHtml } from '../../../platform/http/negotiation.ts';
import { withZod } from '../../../platform/http/validators.ts';
import { answerForm } from '../../../platform/pages/form-answer.ts';
import type { ModuleKernel } from '../../../platform/use-cases/kernel-access.ts';
import { transact } from '../../../platform/use-cases/transaction.ts';
import { registrationSchema, signInSchema } from '../../../shared/forms/learner.ts';
import { learnerAnswer } from '../accounts/learner.ts';
import { passwordQueue } from '../accounts/password.ts';
import { localPath } from '../sessions/return-path.ts';
import { learnerTransport } from '../sessions/session-transport.ts';
import { forgetInBrowser } from '../sessions/sign-out.ts';
import { callerOf } from '../sign-in/caller.ts';
import { keepSignedIn } from './keep-signed-in.ts';
import { registrationAnswer, signInAnswer } from './learner.schemas.ts';
import { type LearnerLimits, openLearnerSession, registerLearner, signIn, signOut } from './learner.service.ts';
import { leaveEmail } from './registered-email.ts';
import { sendAuthPage } from './sign-in.pages.ts';

/** Registration, sign-in, sign-out and verification: JSON for API calls, redirects and pages for plain forms. */
export const identityRoutes: FastifyPluginAsync<{ kernel: ModuleKernel; limits: LearnerLimits }> = async (instance, { kernel, limits }) => {
  const app = withZod(instance);
  const { allowedEmailDomains } = kernel.config;
  const tags = ['Candidats'];
  const registration = { tags, summary: 'Inscription', response: { 201: registrationAnswer, ...errorAnswers(400, 409, 429) } };
  const signingIn = { tags, summary: 'Connexion', response: { 200: signInAnswer, ...errorAnswers(400, 401, 403, 429) } };
  const signingOut = { tags, summary: 'Déconnexion', response: { 200: messageAnswer } };
  const verification = { tags, summary: 'Candidat connecté', response: { 200: learnerAnswer.nullable(), ...errorAnswers(401) } };

  app.post('/users/register', describedBody(registrationSchema(allowedEmailDomains), registration), async (request, reply) => {
    await answerForm(
      request,
      async (form) => {
        const caller = callerOf(request);
        await limits.registrationPerNetwork.consume(caller.network);
        const learner = await registerLearner(request.em, request.context, form, allowedEmailDomains, limits.refuseCommonPassword);
        reply.sendConfirmation(learner);
        const signedIn = form.connexion !== false && form.connexion !== 'non' && form.connexion !== 'false';
        const opened = signedIn
          ? await transact(request.em, request.context, (tx) => openLearnerSession(tx, request.context, learner.id, limits, caller))
          : null;
        if (opened) keepSignedIn(request, reply, opened);
        if (opened || isFormPost(request)) reply.flash('success', 'Inscription réussie !');
        if (isFormPost(request) && !opened) leaveEmail(request, reply, learner.email);
        if (isFormPost(request)) return reply.redirect(opened ? localPath(form.suite) : '/login', 303);
        return reply
          .code(201)
          .send({ message: 'Inscription réussie !', user: learner, ...(opened ? { token: opened.session.token } : {}) });
      },
      (refused) => sendAuthPage(request, reply, 'inscription', refused),
    );
    return reply;
  });

  app.post('/users/login', { config: { queue: passwordQueue }, ...describedBody(signInSchema, signingIn) }, async (request, reply) => {
    await answerForm(
      request,
      async (form) => {
        // The browser's earlier session ends with this sign-in.
        const presented = learnerTransport.presented(request);
        const { learner, ...opened } = await signIn(request.em, request.context, form, limits, callerOf(request), presented);
        keepSignedIn(request, reply, opened);
        reply.flash('success', 'Connexion réussie !');
        if (isFormPost(request)) return reply.redirect(localPath(form.suite), 303);
        return reply.send({ message: 'Connexion réussie !', user: learner, token: opened.session.token });
      },
      (refused) => sendAuthPage(request, reply, 'connexion', refused),
    );
    return reply;
  });

  app.post('/users/logout', { schema: signingOut }, async (request, reply) => {
    const token = learnerTransport.presented(request);
    if (token) await signOut(request.em, request.context, token);
    learnerTransport.clear(request, reply);
    forgetInBrowser(request, reply, 'candidat');
    if (wantsHtml(request)) return reply.flash('success', 'Déconnexion réussie').redirect('/', 303);
    return reply.send({ message: 'Déconnexion réussie' });
  });

  app.get('/users/verify', { preHandler: [app.requireLearner], schema: verification }, async (request) => request.signedInLearner);
};
