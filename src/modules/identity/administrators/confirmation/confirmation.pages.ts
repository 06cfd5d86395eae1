import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { AppError } from '../../../../platform/errors.ts';
import { isFormPost, wantsHtml } from '../../../../platform/http/negotiation.ts';
import { answerForm, faultsOf, readForm, refusePage, typedField } from '../../../../platform/pages/form-answer.ts';
import { administratorSignInRequired, confirmationRequired } from '../../accounts/identity.errors.ts';
import { administratorsOnly, pageOf, superAdministratorsOnly } from '../../sessions/guards.ts';
import { localPath, withSuite } from '../../sessions/return-path.ts';
import { administratorTransport } from '../../sessions/session-transport.ts';
import type { Seal } from '../second-factor/secret-seal.ts';
import type { AdministratorLimits } from '../sessions/administrator-limits.ts';
import { confirmIdentity, isFresh, type OwnSession } from './confirmation.service.ts';

const confirmationPage = '/admin/confirmation';
/** Field that carries the password or code along with a kept form. */
const field = 'confirmation-identite';
/** Largest form that is kept, in characters of all fields. */
const maxKept = 20_000;

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Guard, used after the guard of the role: a password or code must have been given in the last 15 minutes.
     * A page is redirected to the confirmation and back. A form is kept in the confirmation page and then processed. An API call gets
     * a 403.
     */
    requireConfirmation(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  }
  interface FastifyContextConfig {
    /** The response is a file, so after the confirmation the browser returns to the page with the download link. */
    download?: boolean;
  }
}

declare module '../../../../platform/pages/views.ts' {
  interface PageLocals {
    'identity/admin-confirmation': {
      /** Address of the form, and the fields that it carries along. */
      action: string;
      field: string;
      kept: { name: string; value: string }[];
      hasSecondFactor: boolean;
      fault: string | null;
      refusal: string | null;
      /** Address of the 'Annuler' link. */
      back: string;
    };
  }
}

type Guarded = ReturnType<typeof administratorsOnly>;

const confirmed = (app: FastifyInstance, { preHandler, config }: Guarded) => ({
  preHandler: [...preHandler, app.requireConfirmation],
  config,
});

/** Returns the options of a route for administrators who gave their password or a code recently. */
export const confirmedAdministratorsOnly = (app: FastifyInstance) => confirmed(app, administratorsOnly(app));

/** Returns the options of a route for super administrators who gave their password or a code recently. */
export const confirmedSuperAdministratorsOnly = (app: FastifyInstance) => confirmed(app, superAdministratorsOnly(app));

/** Returns the administrator and the token of the request's session. @throws AppError 401 without a session */
export function ownSession(request: FastifyRequest): OwnSession {
  const token = administratorTransport.presented(request);
  if (!token) throw administratorSignInRequired();
  return { actor: request.actor, token };
}

/** Serves /admin/confirmation, and adds the guard that leads to it. */
export const confirmationPages = fp<{ limits: AdministratorLimits; seal: Seal }>(
  async (app, means) => {
    app.decorate('requireConfirmation', async (request: FastifyRequest, reply: FastifyReply) => {
      const { administrator } = request;
      if (!administrator || isFresh(administrator.confirmedAt, request.context.clock.now())) return;
      if (!wantsHtml(request)) throw confirmationRequired();
      if (request.method === 'GET') {
        const { download } = request.routeOptions.config;
        const suite = download ? pageOf(request, '/admin/dashboard') : localPath(request.url);
        if (download) reply.flash('info', "Confirmez que c'est bien vous, puis téléchargez le fichier.");
        await reply.redirect(withSuite(confirmationPage, suite), 303);
        return;
      }
      await goOn(request, reply);
    });

    /**
     * Handles a form sent without recent confirmation: keeps its fields in the confirmation page, and processes it after a right
     * password or code.
     */
    async function goOn(request: FastifyRequest, reply: FastifyReply): Promise<void> {
      const form = readForm(request);
      if (form[field] === undefined) return void (await sendPage(request, reply, heldUp(request)));
      await answerForm(
        request,
        () => confirmIdentity(request.em, request.context, ownSession(request), typedField(form, field), means),
        ({ error }) => sendPage(request, reply, heldUp(request), error),
      );
    }

    const guarded = { preHandler: [app.requireAdministrator], config: { audience: 'administrator', withoutSecondFactor: true } as const };

    app.get(confirmationPage, guarded, (request, reply) => {
      const { suite } = request.query as { suite?: unknown };
      return sendPage(request, reply, asked(suite));
    });

    app.post(confirmationPage, guarded, async (request, reply) => {
      await answerForm(
        request,
        async (form) => {
          await confirmIdentity(request.em, request.context, ownSession(request), typedField(form, field), means);
          return reply.redirect(asked(form.suite).back, 303);
        },
        ({ form, error }) => sendPage(request, reply, asked(form.suite), error),
      );
      return reply;
    });
  },
  { name: 'administrator-confirmation', dependencies: ['guards'] },
);

interface Held {
  action: string;
  kept: { name: string; value: string }[];
  back: string;
}

/** Returns the return address of a requested page; only pages below /admin/ are accepted. */
function asked(suite: unknown): Held {
  const path = localPath(suite, '/admin/dashboard');
  const back = path.startsWith('/admin/') ? path : '/admin/dashboard';
  return { action: confirmationPage, kept: [{ name: 'suite', value: back }], back };
}

/** Returns the fields of the request's form, to be sent to the same address again. Passwords are left out. */
function heldUp(request: FastifyRequest): Held {
  const kept = Object.entries(readForm(request)).flatMap(([name, value]) =>
    typeof value === 'string' && name !== field && !/password/i.test(name) ? [{ name, value }] : [],
  );
  const size = kept.reduce((sum, { name, value }) => sum + name.length + value.length, 0);
  return { action: localPath(request.url), kept: size > maxKept ? [] : kept, back: pageOf(request, '/admin/dashboard') };
}

function sendPage(request: FastifyRequest, reply: FastifyReply, held: Held, error?: AppError): Promise<FastifyReply> {
  if (error) refusePage(reply, error);
  else if (isFormPost(request)) reply.code(403);
  reply.header('cache-control', 'no-store');
  return reply.page('identity/admin-confirmation', {
    title: "Confirmez que c'est bien vous",
    area: 'admin',
    ...held,
    field,
    hasSecondFactor: request.administrator?.hasSecondFactor ?? false,
    fault: faultsOf(error).confirmation ?? null,
    refusal: error && !error.errors ? error.message : null,
  });
}
