import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { AppError } from '../../../platform/errors.ts';
import { isFormPost, wantsHtml } from '../../../platform/http/negotiation.ts';
import { answerForm, faultsOf, type RefusedForm, refusePage, typedField } from '../../../platform/pages/form-answer.ts';
import type { ModuleKernel } from '../../../platform/use-cases/kernel-access.ts';
import { suggestEmail } from '../../../shared/forms/mail-domain.ts';
import { lettersUnavailable, resetGone } from '../accounts/identity.errors.ts';
import { isToken } from '../accounts/token.ts';
import { tokenCookie } from '../accounts/token-cookie.ts';
import { readSuite, withSuite } from '../sessions/return-path.ts';
import { learnerTransport } from '../sessions/session-transport.ts';
import { callerOf } from '../sign-in/caller.ts';
import { deviceCookie } from '../sign-in/device-cookie.ts';
import type { LearnerLimits } from './learner.service.ts';
import { passwordLetter } from './password-letter.ts';
import { acceptResetRequest, findReset, openReset, resetLifetimeMs, resetPassword } from './password-reset.service.ts';

const asking = '/mot-de-passe-oublie';
const choosing = '/nouveau-mot-de-passe';

/** Cookie that holds the link's token once the link was followed. It is only sent to the page of the new password. */
const resetCookie = tokenCookie('resetToken', { path: choosing, maxAgeSeconds: resetLifetimeMs / 1000 });

declare module '../../../platform/pages/views.ts' {
  interface PageLocals {
    'identity/forgotten-password': ReturnType<typeof presentStep> & {
      /** 'sent' is shown to everybody, with or without an account; 'unavailable': no e-mail can be sent. */
      state: 'asking' | 'sent' | 'unavailable';
      /** The typed e-mail. */
      email: string;
      /** The address that was probably meant; null if the typed one has no slip. */
      meant: string | null;
    };
    'identity/new-password': ReturnType<typeof presentStep> & {
      /** E-mail of the account whose password is replaced; null when the link is no longer valid. */
      email: string | null;
      signedIn: boolean;
    };
  }
}

/**
 * Serves /mot-de-passe-oublie, which sends an e-mail, and /nouveau-mot-de-passe, to which the link in it leads.
 * The learner's original destination (`suite`) is carried through the e-mail to the sign-in. Each step accepts only paths of this
 * site.
 */
export const passwordResetPages: FastifyPluginAsync<{ kernel: ModuleKernel; limits: LearnerLimits }> = async (app, { kernel, limits }) => {
  const { mailer, config } = kernel;

  app.get(asking, (request, reply) => {
    const { envoye, suite } = request.query as { envoye?: unknown; suite?: unknown };
    return sendAsking(request, reply, { sent: envoye === '1', suite: readSuite(suite) });
  });

  app.post(asking, async (request, reply) => {
    await answerForm(
      request,
      async (form) => {
        if (!mailer) throw lettersUnavailable(config.site.supportEmail);
        const email = await acceptResetRequest(request.em, request.context, form, limits, callerOf(request));
        const origin = app.siteOrigin(request);
        const suite = readSuite(form.suite);
        // The account is looked up after the response, so that neither its content nor its timing reveals whether there is one.
        reply.afterwards(async () => {
          const opened = await openReset(request.em, request.context, email);
          if (!opened) return;
          const link = withSuite(`${origin}${choosing}?jeton=${opened.token}`, suite);
          await mailer.send(passwordLetter(opened, config.site, link));
        });
        if (isFormPost(request)) return reply.redirect(withSuite(`${asking}?envoye=1`, suite), 303);
        return reply.send({ message: "Si un compte existe avec cette adresse, un message vient d'y être envoyé." });
      },
      (refused) => sendAsking(request, reply, { suite: readSuite(refused.form.suite), refused }),
    );
    return reply;
  });

  app.get(choosing, async (request, reply) => {
    const { jeton, suite } = request.query as { jeton?: unknown; suite?: unknown };
    if (jeton !== undefined) {
      // Remove the token from the address at once, so that it is not in the history, in a referrer or on a screenshot.
      if (isToken(jeton)) resetCookie.keep(request, reply, jeton);
      else resetCookie.clear(request, reply);
      return reply
        .header('referrer-policy', 'no-referrer')
        .header('cache-control', 'no-store')
        .redirect(withSuite(choosing, readSuite(suite)), 303);
    }
    return sendChoosing(request, reply, readSuite(suite));
  });

  app.post(choosing, async (request, reply) => {
    await answerForm(
      request,
      async (form) => {
        const token = resetCookie.presented(request);
        const { userId, deviceToken } = await resetPassword(request.em, request.context, token, form, limits, callerOf(request));
        deviceCookie.keep(request, reply, deviceToken);
        resetCookie.clear(request, reply);
        // The learner's session in this browser has ended with all others.
        if (request.learner?.id === userId) learnerTransport.clear(request, reply);
        const message = 'Votre mot de passe est changé. Connectez-vous avec le nouveau.';
        if (isFormPost(request)) return reply.flash('success', message).redirect(withSuite('/login', readSuite(form.suite)), 303);
        return reply.send({ message });
      },
      (refused) => sendChoosing(request, reply, readSuite(refused.form.suite), refused),
    );
    return reply;
  });

  interface Asking {
    sent?: boolean;
    suite: string | null;
    refused?: RefusedForm;
  }

  function sendAsking({ learner }: FastifyRequest, reply: FastifyReply, { sent = false, suite, refused }: Asking): Promise<FastifyReply> {
    if (refused) refusePage(reply, refused.error);
    const email = typedField(refused?.form, 'email');
    return reply.page('identity/forgotten-password', {
      title: 'Mot de passe oublié',
      noindex: true,
      state: sent ? 'sent' : mailer ? 'asking' : 'unavailable',
      email,
      meant: suggestEmail(email),
      ...presentStep(learner !== null, suite, refused?.error),
    });
  }

  /** Sends the form; when the link is no longer valid, a page with a link to request another e-mail. */
  async function sendChoosing(
    request: FastifyRequest,
    reply: FastifyReply,
    suite: string | null,
    refused?: RefusedForm,
  ): Promise<FastifyReply> {
    reply.header('cache-control', 'no-store');
    const found = await findReset(request.em, request.context, resetCookie.presented(request));
    if (!found && !wantsHtml(request)) throw resetGone();
    if (!found) resetCookie.clear(request, reply);
    const error = found ? refused?.error : resetGone();
    if (error) refusePage(reply, error);
    return reply.page('identity/new-password', {
      title: 'Nouveau mot de passe',
      noindex: true,
      email: found?.email ?? null,
      signedIn: request.learner !== null,
      ...presentStep(request.learner !== null, suite, error),
    });
  }
};

/** Returns the data that both pages show. @param suite page to open after the sign-in, a path of this site */
function presentStep(signedIn: boolean, suite: string | null, error: AppError | undefined) {
  const signIn = { href: withSuite('/login', suite), text: 'Retour à la connexion' };
  return {
    suite,
    /** Address to request another e-mail. */
    again: withSuite(asking, suite),
    // A signed-in learner does not need the sign-in page.
    back: signedIn ? { href: '/user/profil', text: 'Retour à mon profil' } : signIn,
    /** Faults by field; `refusal` belongs to no field. */
    faults: faultsOf(error),
    refusal: error && !error.errors ? error.message : null,
  };
}
