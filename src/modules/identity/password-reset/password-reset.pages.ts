import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { AppError } from '../../../platform/errors.ts';
import type { ModuleKernel } from '../../../platform/kernel-access.ts';
import { isFormPost, wantsHtml } from '../../../platform/negotiation.ts';
import { answerForm, type Form, refusePage } from '../form-answer.ts';
import { lettersUnavailable, resetGone } from '../identity.errors.ts';
import type { LearnerLimits } from '../learner.service.ts';
import { learnerTransport } from '../session-transport.ts';
import { passwordLetter } from './password-letter.ts';
import { acceptResetRequest, findReset, openReset, resetPassword } from './password-reset.service.ts';
import { resetCookie } from './reset-cookie.ts';

const asking = '/mot-de-passe-oublie';
const choosing = '/nouveau-mot-de-passe';

interface Refused {
  form: Form;
  error: AppError;
}

/** /mot-de-passe-oublie asks for a letter, whose link leads to /nouveau-mot-de-passe. */
export const passwordResetPages: FastifyPluginAsync<{ kernel: ModuleKernel; limits: LearnerLimits }> = async (app, { kernel, limits }) => {
  const { mailer, config } = kernel;

  app.get(asking, (request, reply) => sendAsking(reply, { sent: (request.query as { envoye?: unknown }).envoye === '1' }));

  app.post(asking, async (request, reply) => {
    await answerForm(
      request,
      async (form) => {
        if (!mailer) throw lettersUnavailable(config.site.supportEmail);
        const email = await acceptResetRequest(form, limits, request.ip);
        const origin = app.siteOrigin(request);
        // The answer says nothing of the account, and neither does the time it takes.
        reply.afterwards(async () => {
          const opened = await openReset(request.em, request.context, email);
          if (!opened) return;
          const { name: siteName, supportEmail } = config.site;
          const link = `${origin}${choosing}?jeton=${opened.token}`;
          await mailer.send(passwordLetter({ to: opened.email, username: opened.username, siteName, supportEmail, link }));
        });
        if (isFormPost(request)) return reply.redirect(`${asking}?envoye=1`, 303);
        return reply.send({ message: "Si un compte existe avec cette adresse, un message vient d'y être envoyé." });
      },
      (refused) => sendAsking(reply, { refused }),
    );
    return reply;
  });

  app.get(choosing, async (request, reply) => {
    const { jeton } = request.query as { jeton?: unknown };
    if (jeton !== undefined) {
      // Out of the address at once: it stands in no history, no referrer and no picture of the screen.
      resetCookie.keep(request, reply, jeton);
      return reply.header('referrer-policy', 'no-referrer').header('cache-control', 'no-store').redirect(choosing, 303);
    }
    return sendChoosing(request, reply);
  });

  app.post(choosing, async (request, reply) => {
    await answerForm(
      request,
      async (form) => {
        const { userId } = await resetPassword(request.em, request.context, resetCookie.presented(request), form, limits);
        resetCookie.clear(reply);
        // Their session here has ended with all others.
        if (request.learner?.id === userId) learnerTransport.clear(request, reply);
        const message = 'Votre mot de passe est changé. Connectez-vous avec le nouveau.';
        if (isFormPost(request)) return reply.flash('success', message).redirect('/login', 303);
        return reply.send({ message });
      },
      (refused) => sendChoosing(request, reply, refused),
    );
    return reply;
  });

  function sendAsking(reply: FastifyReply, { sent = false, refused }: { sent?: boolean; refused?: Refused }): Promise<FastifyReply> {
    if (refused) refusePage(reply, refused.error);
    const typed = refused?.form.email;
    return reply.page('identity/forgotten-password', {
      title: 'Mot de passe oublié',
      noindex: true,
      state: sent ? 'sent' : mailer ? 'asking' : 'unavailable',
      email: typeof typed === 'string' ? typed.slice(0, 255) : '',
      ...faultsOf(refused?.error),
    });
  }

  /** The form, or, with a link that leads nowhere any more, the way to another one. */
  async function sendChoosing(request: FastifyRequest, reply: FastifyReply, refused?: Refused): Promise<FastifyReply> {
    reply.header('cache-control', 'no-store');
    const found = await findReset(request.em, request.context, resetCookie.presented(request));
    if (!found && !wantsHtml(request)) throw resetGone();
    if (!found) resetCookie.clear(reply);
    const error = found ? refused?.error : resetGone();
    if (error) refusePage(reply, error);
    return reply.page('identity/new-password', {
      title: 'Nouveau mot de passe',
      noindex: true,
      email: found?.email ?? null,
      ...faultsOf(error),
    });
  }
};

/** A form's refusal as its page shows it: under the fields, or above them. */
function faultsOf(error: AppError | undefined) {
  return {
    faults: Object.fromEntries((error?.errors ?? []).map(({ field, message }) => [field, message])),
    refusal: error && !error.errors ? error.message : null,
  };
}
