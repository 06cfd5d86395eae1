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
/** The field in which a form that was held up brings the password along. */
const field = 'confirmation-identite';
/** What was typed into the form that was held up, in characters of all fields. */
const maxKept = 20_000;

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Guard, after that of the role: a password or code must have been given in the last 15 minutes. A page asks for it and goes on; a form is kept meanwhile
     * and goes on too; a call gets a 403.
     */
    requireConfirmation(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  }
  interface FastifyContextConfig {
    /** The answer is no page: who has confirmed comes back to where its link stands. */
    download?: boolean;
  }
}

declare module '../../../../platform/pages/views.ts' {
  interface PageLocals {
    'identity/admin-confirmation': {
      /** Where the form goes, and what it brings along. */
      action: string;
      field: string;
      kept: { name: string; value: string }[];
      hasSecondFactor: boolean;
      fault: string | null;
      refusal: string | null;
      /** Where Annuler goes. */
      back: string;
    };
  }
}

type Guarded = ReturnType<typeof administratorsOnly>;

const confirmed = (app: FastifyInstance, { preHandler, config }: Guarded) => ({
  preHandler: [...preHandler, app.requireConfirmation],
  config,
});

/** Options of a route for administrators who have just given their password or a code. */
export const confirmedAdministratorsOnly = (app: FastifyInstance) => confirmed(app, administratorsOnly(app));

/** The same for super administrators. */
export const confirmedSuperAdministratorsOnly = (app: FastifyInstance) => confirmed(app, superAdministratorsOnly(app));

/** The session that asks. @throws AppError 401 without one */
export function ownSession(request: FastifyRequest): OwnSession {
  const token = administratorTransport.presented(request);
  if (!token) throw administratorSignInRequired();
  return { actor: request.actor, token };
}

/** /admin/confirmation, and the guard that leads there. */
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

    /** A form that was held up: kept in the page that asks, and done once the answer is right. */
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

/** A page that was asked for: it is only led back to. */
function asked(suite: unknown): Held {
  const path = localPath(suite, '/admin/dashboard');
  const back = path.startsWith('/admin/') ? path : '/admin/dashboard';
  return { action: confirmationPage, kept: [{ name: 'suite', value: back }], back };
}

/** The form that the request brings, which goes to the same address once more. No password is kept in a page. */
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
