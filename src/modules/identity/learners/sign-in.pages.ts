import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { takeFlash } from '../../../platform/pages/flash.ts';
import { type RefusedForm, refusePage, typedFields } from '../../../platform/pages/form-answer.ts';
import { profileSchema } from '../../../shared/forms/learner.ts';
import { localPath } from '../sessions/return-path.ts';
import { signInReason } from '../sessions/sign-in-reason.ts';
import { takeEmail } from './registered-email.ts';

type AuthView = 'connexion' | 'inscription';

declare module '../../../platform/pages/views.ts' {
  interface PageLocals {
    'identity/login': ReturnType<typeof presentAuth>;
    'identity/register': ReturnType<typeof presentAuth>;
  }
}

/** /login and /inscription: the forms of the landing page's modals on pages of their own. */
export const identityPages: FastifyPluginAsync = async (app) => {
  app.get('/login', async (request, reply) => {
    if (request.learner) return reply.redirect(localPath((request.query as { suite?: unknown }).suite), 303);
    return sendAuthPage(request, reply, 'connexion');
  });
  app.get('/inscription', async (request, reply) => {
    if (request.learner) return reply.redirect('/user/dashboard', 303);
    return sendAuthPage(request, reply, 'inscription');
  });
};

export function sendAuthPage(request: FastifyRequest, reply: FastifyReply, view: AuthView, refused?: RefusedForm): Promise<FastifyReply> {
  if (refused) refusePage(reply, refused.error);
  const [page, title] = view === 'connexion' ? (['identity/login', 'Connexion'] as const) : (['identity/register', 'Inscription'] as const);
  return reply.page(page, { title, noindex: true, ...presentAuth(request, reply, view, refused) });
}

function presentAuth(request: FastifyRequest, reply: FastifyReply, view: AuthView, refused?: RefusedForm) {
  const messages = takeFlash(request, reply);
  const props = authProps(request, view, 'page', refused);
  const email = view === 'connexion' && !refused ? takeEmail(request, reply) : null;
  return {
    form: reply.island('auth', email === null ? props : { ...props, values: { email } }),
    // Why the visitor is here stays to be read; anything else is a toast.
    notice: messages.at(-1) ?? null,
    toasts: messages.slice(0, -1),
    /** Where they go on, a path of this site; kept on the way to the other form. */
    suite: props.suite,
  };
}

/** Props of the auth island: what was typed comes back, a password never does. */
export function authProps(request: FastifyRequest, view: AuthView | null, place: 'page' | 'dialog', refused?: RefusedForm) {
  const asked = refused?.form.suite ?? (request.query as { suite?: unknown }).suite;
  const suite = asked === undefined ? null : localPath(asked);
  return {
    view,
    place,
    suite,
    reason: place === 'dialog' && view === 'connexion' ? signInReason(suite) : null,
    values: typedFields(refused?.form, [...Object.keys(profileSchema.shape), 'email']),
    errors: refused?.error.errors ?? [],
    message: refused && !refused.error.errors ? refused.error.message : null,
    allowedDomains: request.server.allowedEmailDomains,
  };
}
