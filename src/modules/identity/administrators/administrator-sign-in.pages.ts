import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { takeFlash } from '../../../platform/pages/flash.ts';
import { type RefusedForm, refusePage, typedFields } from '../../../platform/pages/form-answer.ts';
import { localPath } from '../sessions/return-path.ts';

export type AdministratorView = 'connexion' | 'inscription';

const defaultPath = '/admin/dashboard';
const pages = {
  connexion: { template: 'identity/admin-sign-in', title: 'Connexion Administrateur' },
  inscription: { template: 'identity/admin-register', title: 'Inscription Administrateur' },
} as const;

declare module '../../../platform/pages/views.ts' {
  interface PageLocals {
    'identity/admin-sign-in': ReturnType<typeof presentForm>;
    'identity/admin-register': ReturnType<typeof presentForm>;
  }
}

/** Serves /admin/connexion and /admin/inscription (specification §2). */
export const administratorSignInPages: FastifyPluginAsync = async (app) => {
  const config = { audience: 'administrator' } as const;

  app.get('/admin/connexion', { config }, async (request, reply) => {
    if (request.administrator) return reply.redirect(defaultPath, 303);
    return sendAdministratorForm(request, reply, 'connexion');
  });

  app.get('/admin/inscription', { config }, (request, reply) => sendAdministratorForm(request, reply, 'inscription'));
};

export function sendAdministratorForm(
  request: FastifyRequest,
  reply: FastifyReply,
  view: AdministratorView,
  refused?: RefusedForm,
): Promise<FastifyReply> {
  if (refused) refusePage(reply, refused.error);
  const { template, title } = pages[view];
  return reply.page(template, { title, area: 'admin', ...presentForm(request, reply, view, refused) });
}

function presentForm(request: FastifyRequest, reply: FastifyReply, view: AdministratorView, refused?: RefusedForm) {
  const messages = takeFlash(request, reply);
  // The reason for the sign-in stays visible on the page; success messages are toasts.
  const notice = messages.findLast(({ kind }) => kind !== 'success') ?? null;
  const form = reply.island('admin-auth', formProps(request, view, refused));
  return { form, notice, toasts: messages.filter((message) => message !== notice) };
}

/** Returns the page to open after the sign-in; only pages below /admin/ are accepted. */
export function administrationPath(value: unknown): string {
  const path = localPath(value, defaultPath);
  return path.startsWith('/admin/') ? path : defaultPath;
}

/** Returns the props of the form with the typed values, but never passwords or keys. */
function formProps(request: FastifyRequest, view: AdministratorView, refused?: RefusedForm) {
  const suite = refused?.form.suite ?? (request.query as { suite?: unknown }).suite;
  return {
    view,
    suite: suite === undefined ? null : administrationPath(suite),
    values: typedFields(refused?.form, ['username', 'email', 'role']),
    errors: refused?.error.errors ?? [],
    message: refused && !refused.error.errors ? refused.error.message : null,
  };
}
