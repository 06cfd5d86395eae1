import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { answerForm, faultsOf, type RefusedForm, refusePage, typedField } from '../../../../platform/pages/form-answer.ts';
import { callerOf } from '../../sign-in/caller.ts';
import type { AdministratorLimits } from '../sessions/administrator-limits.ts';
import { resetAdministratorPassword } from './administrator-reset.service.ts';

/** Page on which a key from the command line allows a new password. */
const resetPage = '/admin/mot-de-passe';

declare module '../../../../platform/pages/views.ts' {
  interface PageLocals {
    'identity/admin-reset': {
      /** The typed e-mail. */
      email: string;
      /** Faults by field. */
      faults: Record<string, string>;
      /** A refusal that belongs to no field. */
      refusal: string | null;
    };
  }
}

/** Serves /admin/mot-de-passe: a new password with a key that the operator has issued (`prepa admins reset`). */
export const administratorResetPages: FastifyPluginAsync<{ limits: AdministratorLimits }> = async (app, { limits }) => {
  const config = { audience: 'administrator' } as const;

  app.get(resetPage, { config }, (_request, reply) => sendPage(reply));

  app.post(resetPage, { config }, async (request: FastifyRequest, reply) => {
    await answerForm(
      request,
      async (form) => {
        await resetAdministratorPassword(request.em, request.context, form, limits, callerOf(request));
        return reply.flash('success', 'Votre mot de passe est changé. Connectez-vous avec le nouveau.').redirect('/admin/connexion', 303);
      },
      (refused) => sendPage(reply, refused),
    );
    return reply;
  });
};

function sendPage(reply: FastifyReply, refused?: RefusedForm): Promise<FastifyReply> {
  if (refused) refusePage(reply, refused.error);
  return reply.page('identity/admin-reset', {
    title: 'Nouveau mot de passe',
    area: 'admin',
    email: typedField(refused?.form, 'email'),
    faults: faultsOf(refused?.error),
    refusal: refused && !refused.error.errors ? refused.error.message : null,
  });
}
