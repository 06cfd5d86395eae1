import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { withZod } from '../../../../platform/http/validators.ts';
import { flashDone } from '../../../../platform/pages/flash.ts';
import { answerForm, faultsOf, type RefusedForm, refusePage } from '../../../../platform/pages/form-answer.ts';
import { formatDate, formatInstant } from '../../../../shared/dates.ts';
import { roleNames } from '../../../../shared/forms/administrator.ts';
import { administratorSignInRequired } from '../../accounts/identity.errors.ts';
import { administratorsOnly, isSecondFactorDemanded } from '../../sessions/guards.ts';
import { administratorTransport } from '../../sessions/session-transport.ts';
import type { AdministratorInSession } from '../../sessions/sessions.ts';
import { callerOf } from '../../sign-in/caller.ts';
import { deviceCookie } from '../../sign-in/device-cookie.ts';
import { ownSession } from '../confirmation/confirmation.pages.ts';
import { describeSecondFactor } from '../second-factor/second-factor.service.ts';
import type { AdministratorLimits } from '../sessions/administrator-limits.ts';
import {
  type AdministratorSessionRow,
  endAdministratorSession,
  endOtherAdministratorSessions,
  listAdministratorSessions,
  maxAdministratorSessions,
} from '../sessions/administrator-sessions.service.ts';
import { changeAdministratorPassword } from './administrator-password.service.ts';

export const accountPage = '/admin/compte';
/** An id in another form cannot exist, so it gives a 404 instead of a 400. */
const params = z.object({ id: z.string().max(64) });

declare module '../../../../platform/pages/views.ts' {
  interface PageLocals {
    'identity/admin-account': ReturnType<typeof presentAccount>;
  }
}

/** Serves /admin/compte: an administrator's own password, sessions and second factor, as plain forms. */
export async function accountPages(instance: FastifyInstance, { limits }: { limits: AdministratorLimits }): Promise<void> {
  const app = withZod(instance);
  const guarded = administratorsOnly(app);

  app.get(accountPage, guarded, (request, reply) => sendAccount(request, reply));
  // The URL of a refused form, opened again with GET, redirects to the page of the form.
  app.get(`${accountPage}/mot-de-passe`, guarded, (_request, reply) => reply.redirect(accountPage, 303));

  app.post(`${accountPage}/mot-de-passe`, guarded, async (request, reply) => {
    await answerForm(
      request,
      async (form) => {
        const caller = callerOf(request);
        const opened = await changeAdministratorPassword(request.em, request.context, ownSession(request), form, limits, caller);
        administratorTransport.send(request, reply, opened.session);
        deviceCookie.keep(request, reply, opened.deviceToken);
        return reply.flash('success', 'Mot de passe modifié. Vos autres appareils sont déconnectés.').redirect(accountPage, 303);
      },
      (refused) => sendAccount(request, reply, refused),
    );
    return reply;
  });

  app.post(`${accountPage}/sessions/:id/terminer`, { ...guarded, schema: { params } }, async (request, reply) => {
    const { em, context, actor } = request;
    await flashDone(request, reply, endAdministratorSession(em, context, actor, request.params.id), 'Session terminée');
    return reply.redirect(accountPage, 303);
  });

  app.post(`${accountPage}/sessions/terminer-les-autres`, guarded, async (request, reply) => {
    const { actor, token } = ownSession(request);
    await endOtherAdministratorSessions(request.em, request.context, actor, token);
    return reply.flash('success', 'Vos autres sessions sont terminées').redirect(accountPage, 303);
  });
}

async function sendAccount(request: FastifyRequest, reply: FastifyReply, refused?: RefusedForm): Promise<FastifyReply> {
  const { administrator, em } = request;
  if (!administrator) throw administratorSignInRequired();
  const { token } = ownSession(request);
  const [sessions, factor] = await Promise.all([
    listAdministratorSessions(em, administrator.id, request.context.clock.now(), token),
    describeSecondFactor(em.fork(), administrator.id),
  ]);
  if (refused) refusePage(reply, refused.error);
  return reply.page('identity/admin-account', {
    title: 'Mon compte',
    area: 'admin',
    ...presentAccount(administrator, sessions, { ...factor, demanded: isSecondFactorDemanded(request) }, refused),
  });
}

/** Returns the data of the page. Typed passwords are not sent back. */
function presentAccount(
  { username, email, role }: AdministratorInSession,
  sessions: AdministratorSessionRow[],
  { confirmedAt, codesLeft, demanded }: Awaited<ReturnType<typeof describeSecondFactor>> & { demanded: boolean },
  refused?: RefusedForm,
) {
  return {
    account: { username, email, role: roleNames[role] },
    /** Faults of the password form, by field. */
    faults: faultsOf(refused?.error),
    /** A refusal that belongs to no field. */
    refusal: refused && !refused.error.errors ? refused.error.message : null,
    secondFactor: {
      since: confirmedAt && formatDate(confirmedAt),
      codesLeft,
      /** Required by the settings: the factor can be replaced, but not removed. */
      demanded,
    },
    /** The list's limit, when the list may be incomplete; otherwise null. */
    maxSessions: sessions.length < maxAdministratorSessions ? null : maxAdministratorSessions,
    sessions: sessions.map(({ id, device, network, createdAt, current }) => ({
      id,
      device: device ?? 'Appareil inconnu',
      network,
      opened: formatInstant(createdAt),
      current,
    })),
  };
}
