import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { takeFlash } from '../../../platform/pages/flash.ts';
import { type RefusedForm, refusePage, typedFields } from '../../../platform/pages/form-answer.ts';
import { profileSchema } from '../../../shared/forms/learner.ts';
import { localPath } from '../sessions/return-path.ts';
import { signInReason } from '../sessions/sign-in-reason.ts';
import { takeEmail } from './registered-email.ts';
import { signInPurpose } from './sign-in-purpose.ts';

type AuthView = 'connexion' | 'inscription';

declare module '../../../platform/pages/views.ts' {
  interface PageLocals {
    'identity/login': Awaited<ReturnType<typeof presentAuth>>;
    'identity/register': Awaited<ReturnType<typeof presentAuth>>;
  }
}

/** Serves /login and /inscription: the forms of the landing page's dialogs on separate pages. */
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

export async function sendAuthPage(
  request: FastifyRequest,
  reply: FastifyReply,
  view: AuthView,
  refused?: RefusedForm,
): Promise<FastifyReply> {
  if (refused) refusePage(reply, refused.error);
  const [page, title] = view === 'connexion' ? (['identity/login', 'Connexion'] as const) : (['identity/register', 'Inscription'] as const);
  return reply.page(page, { title, noindex: true, ...(await presentAuth(request, reply, view, refused)) });
}

async function presentAuth(request: FastifyRequest, reply: FastifyReply, view: AuthView, refused?: RefusedForm) {
  const messages = takeFlash(request, reply);
  const props = await authProps(request, view, 'page', refused);
  const email = view === 'connexion' && !refused ? takeEmail(request, reply) : null;
  return {
    form: reply.island('auth', email === null ? props : { ...props, values: { email } }),
    // The reason for the sign-in stays visible on the page; other messages are toasts.
    notice: messages.at(-1) ?? null,
    toasts: messages.slice(0, -1),
    /** Page to open after the sign-in, a path of this site. The link to the other form carries it along. */
    suite: props.suite,
  };
}

/** Returns the props of the auth island with the typed values, but never a password. */
export async function authProps(request: FastifyRequest, view: AuthView | null, place: 'page' | 'dialog', refused?: RefusedForm) {
  const asked = refused?.form.suite ?? (request.query as { suite?: unknown }).suite;
  const suite = asked === undefined ? null : localPath(asked);
  // The header's registration creates the account only (specification §5).
  const registersOnly = (refused?.form.connexion ?? (request.query as { inscription?: unknown }).inscription) as unknown;
  return {
    view,
    place,
    suite,
    signsIn: registersOnly !== 'non' && registersOnly !== 'seule',
    purpose: await signInPurpose(request, suite),
    reason: place === 'dialog' && view === 'connexion' ? signInReason(suite) : null,
    values: typedFields(refused?.form, [...Object.keys(profileSchema.shape), 'email']),
    errors: refused?.error.errors ?? [],
    message: refused && !refused.error.errors ? refused.error.message : null,
    allowedDomains: request.server.allowedEmailDomains,
  };
}
