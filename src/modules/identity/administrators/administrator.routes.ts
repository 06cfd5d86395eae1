import type { FastifyPluginAsync } from 'fastify';
import { isFormPost, wantsHtml } from '../../../platform/negotiation.ts';
import { answerForm } from '../form-answer.ts';
import { administratorTransport } from '../session-transport.ts';
import { administratorSessions } from '../sessions.ts';
import { type AdministratorLimits, registerAdministrator, signInAdministrator } from './administrator.service.ts';
import { administrationPath, sendAdministratorForm } from './administrator-sign-in.pages.ts';

/** Administrators' registration, sign-in and sign-out: JSON for programs, redirects and pages for plain forms. Learners' sessions stay as they are. */
export const administratorRoutes: FastifyPluginAsync<{ limits: AdministratorLimits }> = async (app, { limits }) => {
  const config = { audience: 'administrator' } as const;

  app.post('/admin/register', { config }, (request, reply) =>
    answerForm(
      request,
      async (form) => {
        const { id } = await registerAdministrator(request.em, request.context, form, limits, request.ip);
        const message = 'Inscription réussie ! Vous pouvez maintenant vous connecter.';
        reply.flash('success', message);
        if (isFormPost(request)) return reply.redirect('/admin/connexion', 303);
        return reply.code(201).send({ message, adminId: id });
      },
      (refused) => sendAdministratorForm(request, reply, 'inscription', refused),
    ),
  );

  app.post('/admin/login', { config }, (request, reply) =>
    answerForm(
      request,
      async (form) => {
        const { administrator, session } = await signInAdministrator(request.em, request.context, form, limits, request.ip);
        // Rotated: the session presented so far ends with this sign-in.
        const previous = administratorTransport.presented(request);
        if (previous) await administratorSessions.close(request.em, request.context.clock, previous);
        administratorTransport.send(request, reply, session);
        const message = 'Connexion réussie !';
        reply.flash('success', message);
        if (isFormPost(request)) return reply.redirect(administrationPath(form.suite), 303);
        return reply.send({ message, token: session.token, adminId: administrator.id, role: administrator.role });
      },
      (refused) => sendAdministratorForm(request, reply, 'connexion', refused),
    ),
  );

  app.post('/admin/logout', { config }, async (request, reply) => {
    const token = administratorTransport.presented(request);
    if (token) await administratorSessions.close(request.em, request.context.clock, token);
    administratorTransport.clear(request, reply);
    const message = 'Déconnexion réussie';
    if (wantsHtml(request)) return reply.flash('success', message).redirect('/', 303);
    return reply.send({ message });
  });
};
