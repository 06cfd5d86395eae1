import type { FastifyPluginAsync } from 'fastify';
import { z } from 'zod';
import { errorAnswers, messageAnswer } from '../../../platform/http/answers.ts';
import { describedBody } from '../../../platform/http/described-body.ts';
import { isFormPost, wantsHtml } from '../../../platform/http/negotiation.ts';
import { withZod } from '../../../platform/http/validators.ts';
import { answerForm } from '../../../platform/pages/form-answer.ts';
import { administratorRegistrationSchema, administratorRoles, administratorSignInSchema } from '../../../shared/forms/administrator.ts';
import { codeRequired } from '../accounts/identity.errors.ts';
import { passwordQueue } from '../accounts/password.ts';
import { withSuite } from '../sessions/return-path.ts';
import { administratorTransport } from '../sessions/session-transport.ts';
import { administratorSessions } from '../sessions/sessions.ts';
import { forgetInBrowser } from '../sessions/sign-out.ts';
import { callerOf } from '../sign-in/caller.ts';
import { registerAdministrator } from './administrator.service.ts';
import { codePage, keepAdministratorSignedIn, pendingSignInCookie } from './administrator-code.pages.ts';
import { administrationPath, sendAdministratorForm } from './administrator-sign-in.pages.ts';
import { type SignInMeans, signInAdministrator } from './administrator-sign-in.service.ts';

const registrationAnswer = messageAnswer.extend({ adminId: z.uuid() });
const signInAnswer = messageAnswer.extend({ token: z.string(), adminId: z.uuid(), role: z.enum(administratorRoles) });

/**
 * Registration, sign-in and sign-out of administrators: JSON for API calls, redirects and pages for plain forms. Learners' sessions
 * are not affected.
 */
export const administratorRoutes: FastifyPluginAsync<{ means: SignInMeans }> = async (instance, { means }) => {
  const app = withZod(instance);
  const config = { audience: 'administrator' } as const;
  const tags = ['Administrateurs'];
  const registration = describedBody(administratorRegistrationSchema, {
    tags,
    summary: "Inscription avec une paire de clés d'administration",
    response: { 201: registrationAnswer, ...errorAnswers(400, 403, 409, 429) },
  });
  const signingIn = describedBody(administratorSignInSchema, {
    tags,
    summary: 'Connexion, pour 8 heures au plus',
    response: { 200: signInAnswer, ...errorAnswers(400, 401, 403, 429) },
  });
  const signingOut = { tags, summary: 'Déconnexion', response: { 200: messageAnswer } };

  app.post('/admin/register', { config, ...registration }, async (request, reply) => {
    await answerForm(
      request,
      async (form) => {
        const { id } = await registerAdministrator(request.em, request.context, form, means.limits, callerOf(request));
        const message = 'Inscription réussie ! Vous pouvez maintenant vous connecter.';
        reply.flash('success', message);
        if (isFormPost(request)) return reply.redirect('/admin/connexion', 303);
        return reply.code(201).send({ message, adminId: id });
      },
      (refused) => sendAdministratorForm(request, reply, 'inscription', refused),
    );
    return reply;
  });

  app.post('/admin/login', { config: { ...config, queue: passwordQueue }, ...signingIn }, async (request, reply) => {
    await answerForm(
      request,
      async (form) => {
        const outcome = await signInAdministrator(request.em, request.context, form, means, callerOf(request));
        if (outcome.kind === 'code-required') {
          pendingSignInCookie.keep(request, reply, outcome.pendingToken);
          if (!isFormPost(request)) throw codeRequired();
          return reply.redirect(withSuite(codePage, form.suite === undefined ? null : administrationPath(form.suite)), 303);
        }
        const { administrator, session } = outcome;
        await keepAdministratorSignedIn(request, reply, outcome);
        const message = 'Connexion réussie !';
        reply.flash('success', message);
        if (isFormPost(request)) return reply.redirect(administrationPath(form.suite), 303);
        return reply.send({ message, token: session.token, adminId: administrator.id, role: administrator.role });
      },
      (refused) => sendAdministratorForm(request, reply, 'connexion', refused),
    );
    return reply;
  });

  app.post('/admin/logout', { config, schema: signingOut }, async (request, reply) => {
    const token = administratorTransport.presented(request);
    if (token) await administratorSessions.close(request.em, request.context.clock, token);
    administratorTransport.clear(request, reply);
    forgetInBrowser(request, reply, 'administrateur');
    const message = 'Déconnexion réussie';
    // On the administration's own host, `/` redirects to its pages, which would ask for a sign-in.
    if (wantsHtml(request)) return reply.flash('success', message).redirect(app.site.home === '/' ? '/' : '/admin/connexion', 303);
    return reply.send({ message });
  });
};
