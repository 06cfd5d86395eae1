import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../../platform/errors.ts';
import type { AttemptLimiter } from '../../../platform/limits/attempt-limiter.ts';
import { refusePage } from '../../../platform/pages/form-answer.ts';
import type { ModuleKernel } from '../../../platform/use-cases/kernel-access.ts';
import type { Learner } from '../accounts/learner.ts';
import { isToken } from '../accounts/token.ts';
import { tokenCookie } from '../accounts/token-cookie.ts';
import { localPath } from '../sessions/return-path.ts';
import { confirmationLifetimeMs, confirmEmail, openConfirmation, readConfirmation } from './confirmation.service.ts';
import { confirmationLetter } from './confirmation-letter.ts';

const path = '/confirmer-mon-adresse';

/** Cookie that holds the link's token once the link was followed. It is only sent to the confirmation page. */
const confirmationCookie = tokenCookie('confirmationToken', { path, maxAgeSeconds: confirmationLifetimeMs / 1000 });

declare module '../../../platform/pages/views.ts' {
  interface PageLocals {
    'identity/confirm-email': {
      email: string;
      /** 'gone': the link was used, replaced or has expired, or there is none. */
      state: 'asking' | 'confirmed' | 'gone';
    };
  }
}

declare module 'fastify' {
  interface FastifyReply {
    /** Sends the confirmation e-mail after the response, if the settings require confirmed addresses. */
    sendConfirmation(learner: Learner): void;
  }
}

interface Options {
  kernel: ModuleKernel;
  /** Limit of requested e-mails per learner. */
  letters: AttemptLimiter;
}

/**
 * Confirms learners' addresses by e-mail, if enabled (CONFIRM_EMAIL). Unconfirmed learners may use everything.
 * The link leads to /confirmer-mon-adresse, where the signed-in learner presses a button: mail programs that open links automatically
 * confirm nothing.
 */
export const emailConfirmationPages: FastifyPluginAsync<Options> = async (app, { kernel: { config, mailer }, letters }) => {
  if (!config.confirmEmail || !mailer) return;
  const preHandler = [app.requireLearner];

  app.get(path, async (request, reply) => {
    reply.header('cache-control', 'no-store');
    const { jeton } = request.query as { jeton?: unknown };
    if (jeton !== undefined) {
      // Remove the token from the address at once, also before a redirect to the sign-in.
      if (isToken(jeton)) confirmationCookie.keep(request, reply, jeton);
      else confirmationCookie.clear(request, reply);
      return reply.header('referrer-policy', 'no-referrer').redirect(path, 303);
    }
    await app.requireLearner(request, reply);
    if (reply.sent) return reply;
    return sendPage(request, reply);
  });

  app.post(path, { preHandler }, async (request, reply) => {
    if (!(await confirmEmail(request.em, request.context, request.signedInLearner, confirmationCookie.presented(request))))
      return sendPage(request, reply);
    confirmationCookie.clear(request, reply);
    return reply.flash('success', 'Votre adresse est confirmée. Merci !').redirect('/user/dashboard', 303);
  });

  app.post(`${path}/renvoyer`, { preHandler }, async (request, reply) => {
    const learner = request.signedInLearner;
    const back = localPath((request.body as { suite?: unknown } | null | undefined)?.suite);
    try {
      await letters.consume(learner.id, undefined, lettersSent);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return reply.flash('error', error.message).redirect(back, 303);
    }
    reply.sendConfirmation(learner);
    return reply.flash('success', `Un message vient d'être envoyé à ${learner.email}.`).redirect(back, 303);
  });

  async function sendPage(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    reply.header('cache-control', 'no-store');
    const learner = request.signedInLearner;
    const { confirmed, holds } = await readConfirmation(request.em, request.context, learner, confirmationCookie.presented(request));
    if (!holds) confirmationCookie.clear(request, reply);
    if (!holds && !confirmed) refusePage(reply, gone());
    return reply.page('identity/confirm-email', {
      title: 'Confirmer mon adresse',
      noindex: true,
      email: learner.email,
      state: confirmed ? 'confirmed' : holds ? 'asking' : 'gone',
    });
  }
};

const lettersSent = (wait: string) => `Trop de messages demandés. Suivez le lien du dernier message reçu, ou réessayez dans ${wait}.`;
const gone = () => new AppError('CONFIRMATION.GONE', 410, "Ce lien n'est plus valable.");

/** Adds `reply.sendConfirmation`. Also reads with a learner's header whether their address is still to be confirmed. */
export function decorateConfirmation(app: Parameters<FastifyPluginAsync>[0], { config, mailer }: ModuleKernel): void {
  const asks = config.confirmEmail && mailer;
  if (asks) app.readForHeader('emailToConfirm', () => 'u.email_confirmed_at is null');
  app.decorateReply('sendConfirmation', function sendConfirmation(learner: Learner) {
    if (!asks) return;
    const { request } = this;
    const origin = app.siteOrigin(request);
    this.afterwards(async () => {
      const token = await openConfirmation(request.em, request.context, learner);
      if (token !== null) await mailer.send(confirmationLetter(learner, config.site, `${origin}${path}?jeton=${token}`));
    });
  });
}

/** Returns the address that a page with `earlyHeader` asks its learner to confirm; null when there is none. */
export const emailToConfirm = ({ learner, earlyHeader }: FastifyRequest): string | null =>
  earlyHeader?.emailToConfirm === true ? (learner?.email ?? null) : null;
