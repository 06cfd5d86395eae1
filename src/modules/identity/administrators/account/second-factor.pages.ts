import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../../../platform/errors.ts';
import { answerForm, faultsOf, type RefusedForm, refusePage } from '../../../../platform/pages/form-answer.ts';
import { transact } from '../../../../platform/use-cases/transaction.ts';
import { administratorCodeSchema } from '../../../../shared/forms/administrator.ts';
import { parseForm } from '../../../../shared/forms/field-errors.ts';
import { invalidForm } from '../../accounts/identity.errors.ts';
import { isSecondFactorDemanded, secondFactorPage } from '../../sessions/guards.ts';
import { confirmedAdministratorsOnly, ownSession } from '../confirmation/confirmation.pages.ts';
import { drawQrCode } from '../second-factor/qr-code.ts';
import {
  beginSecondFactor,
  confirmSecondFactor,
  pendingSecret,
  removeSecondFactor,
  renewRecoveryCodes,
} from '../second-factor/second-factor.service.ts';
import type { Seal } from '../second-factor/secret-seal.ts';
import { addressOf } from '../second-factor/totp.ts';
import { removeOthers } from '../sessions/administrator-sessions.service.ts';
import { accountPage } from './account.pages.ts';

declare module '../../../../platform/pages/views.ts' {
  interface PageLocals {
    'identity/admin-second-factor': {
      /** Data for the authenticator application; null when no set-up has begun. */
      setUp: { picture: { size: number; path: string }; secret: string; address: string; account: string } | null;
      /** Whether an application is in use, which the new one would replace. */
      replaces: boolean;
      /** Whether the settings require a second factor. */
      demanded: boolean;
      faults: Record<string, string>;
      refusal: string | null;
    };
    /** Recovery codes. No other page ever shows them. */
    'identity/admin-recovery-codes': { codes: string[]; justSetUp: boolean };
  }
}

interface Means {
  seal: Seal;
  /** Name under which the authenticator application lists the account. */
  siteName: string;
}

/** Serves /admin/compte/deux-etapes: setting up an authenticator application, replacing it, its recovery codes, removing it. */
export async function secondFactorPages(app: FastifyInstance, { seal, siteName }: Means): Promise<void> {
  const fresh = confirmedAdministratorsOnly(app);
  const guarded = { ...fresh, config: { ...fresh.config, withoutSecondFactor: true } };

  app.get(secondFactorPage, guarded, (request, reply) => sendSetUp(request, reply));

  app.post(secondFactorPage, guarded, async (request, reply) => {
    await beginSecondFactor(request.em, seal, request.actor.administratorId);
    return reply.redirect(secondFactorPage, 303);
  });

  app.post(`${secondFactorPage}/confirmer`, guarded, async (request, reply) => {
    await answerForm(
      request,
      async (form) => {
        const { data, errors } = parseForm(administratorCodeSchema, form);
        if (errors) throw invalidForm(errors);
        const { actor, token } = ownSession(request);
        // Sessions opened without a code end.
        const codes = await confirmSecondFactor(request.em, request.context, seal, actor, data.code, async (tx) => {
          await removeOthers(tx, actor.administratorId, token);
        });
        return sendCodes(reply, codes, true);
      },
      (refused) => sendSetUp(request, reply, refused),
    );
    return reply;
  });
  // The URL of a refused form, opened again with GET, redirects to the page of the form.
  app.get(`${secondFactorPage}/confirmer`, guarded, (_request, reply) => reply.redirect(secondFactorPage, 303));

  app.post(`${secondFactorPage}/codes`, guarded, async (request, reply) =>
    sendCodes(reply, await renewRecoveryCodes(request.em, request.context, request.actor), false),
  );
  // The codes are shown only once: a reload leads to the account page.
  app.get(`${secondFactorPage}/codes`, guarded, (_request, reply) => reply.redirect(accountPage, 303));

  app.get(`${secondFactorPage}/retirer`, guarded, (request, reply) => {
    requireRemovable(request);
    return reply.page('identity/administration-confirm', {
      title: 'Retirer la validation en deux étapes',
      area: 'admin',
      question: 'Retirer la validation en deux étapes ?',
      facts: [{ name: 'Compte', value: request.actor.name }],
      consequence:
        "Votre mot de passe suffira pour vous connecter : qui l'apprend entrera dans l'administration. Vos codes de secours ne serviront plus.",
      action: `${secondFactorPage}/retirer`,
      button: 'Retirer',
      back: accountPage,
    });
  });

  app.post(`${secondFactorPage}/retirer`, guarded, async (request, reply) => {
    requireRemovable(request);
    const { em, context, actor } = request;
    const person = { id: actor.administratorId, username: actor.name };
    await transact(em, context, (tx) => removeSecondFactor(tx, context, actor, person));
    return reply.flash('success', 'La validation en deux étapes est retirée.').redirect(accountPage, 303);
  });

  async function sendSetUp(request: FastifyRequest, reply: FastifyReply, refused?: RefusedForm): Promise<FastifyReply> {
    const { administrator } = request;
    const secret = await pendingSecret(request.em, seal, request.actor.administratorId);
    if (refused) refusePage(reply, refused.error);
    reply.header('cache-control', 'no-store');
    return reply.page('identity/admin-second-factor', {
      title: 'Validation en deux étapes',
      area: 'admin',
      setUp: secret === null ? null : presentSetUp(secret, administrator?.email ?? ''),
      replaces: administrator?.hasSecondFactor ?? false,
      demanded: isSecondFactorDemanded(request),
      faults: faultsOf(refused?.error),
      refusal: refused && !refused.error.errors ? refused.error.message : null,
    });
  }

  function presentSetUp(secret: string, account: string) {
    const address = addressOf(secret, siteName, account);
    return { picture: drawQrCode(address), secret: secret.replaceAll(/(.{4})(?=.)/g, '$1 '), address, account };
  }
}

function sendCodes(reply: FastifyReply, codes: string[], justSetUp: boolean): Promise<FastifyReply> {
  // No cache or browser history may show the codes again.
  reply.header('cache-control', 'no-store');
  return reply.page('identity/admin-recovery-codes', { title: 'Codes de secours', area: 'admin', codes, justSetUp });
}

/** @throws AppError 409 when the settings require a second factor */
function requireRemovable(request: FastifyRequest): void {
  if (!isSecondFactorDemanded(request)) return;
  throw new AppError(
    'SECOND_FACTOR.KEPT',
    409,
    "La validation en deux étapes est obligatoire pour les super administrateurs. Vous pouvez changer d'application depuis « Mon compte ».",
  );
}
