import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { answerForm, faultsOf, type RefusedForm, refusePage } from '../../../platform/pages/form-answer.ts';
import { signInGone } from '../accounts/identity.errors.ts';
import { tokenCookie } from '../accounts/token-cookie.ts';
import { withSuite } from '../sessions/return-path.ts';
import { administratorTransport } from '../sessions/session-transport.ts';
import { administratorSessions } from '../sessions/sessions.ts';
import { callerOf } from '../sign-in/caller.ts';
import { deviceCookie } from '../sign-in/device-cookie.ts';
import { administrationPath } from './administrator-sign-in.pages.ts';
import { continueSignIn, type SignInMeans } from './administrator-sign-in.service.ts';
import { findPendingSignIn, type OpenedAdministrator, pendingLifetimeMs } from './sessions/administrator-sessions.service.ts';

const signInPage = '/admin/connexion';
/** Page on which an administrator gives the code after the password. */
export const codePage = `${signInPage}/code`;

/** Cookie that identifies the pending sign-in. It is only sent to the page of the code. */
export const pendingSignInCookie = tokenCookie('adminSignIn', { path: codePage, maxAgeSeconds: pendingLifetimeMs / 1000 });

declare module '../../../platform/pages/views.ts' {
  interface PageLocals {
    'identity/admin-code': {
      suite: string | null;
      /** Faults by field. */
      faults: Record<string, string>;
      /** A refusal that belongs to no field. */
      refusal: string | null;
    };
  }
}

/** Serves /admin/connexion/code, the second step of an administrator's sign-in. */
export const administratorCodePages: FastifyPluginAsync<{ means: SignInMeans }> = async (app, { means }) => {
  const config = { audience: 'administrator' } as const;

  app.get(codePage, { config }, async (request, reply) => {
    const { suite } = request.query as { suite?: unknown };
    const back = suite === undefined ? null : administrationPath(suite);
    if (request.administrator) return reply.redirect(administrationPath(suite), 303);
    const waiting = await findPendingSignIn(request.em, request.context, pendingSignInCookie.presented(request));
    return waiting ? sendCodePage(reply, back) : beginAgain(reply, back);
  });

  app.post(codePage, { config }, async (request, reply) => {
    const token = pendingSignInCookie.presented(request);
    await answerForm(
      request,
      async (form) => {
        const opened = await continueSignIn(request.em, request.context, token, form, means, callerOf(request));
        await keepAdministratorSignedIn(request, reply, opened);
        return reply.flash('success', 'Connexion réussie !').redirect(administrationPath(form.suite), 303);
      },
      async (refused) => {
        const { suite } = refused.form;
        const back = suite === undefined ? null : administrationPath(suite);
        return refused.error.code === signInGone().code ? beginAgain(reply, back) : sendCodePage(reply, back, refused);
      },
    );
    return reply;
  });
};

/** Sets the cookies of an administrator's sign-in. Ends the session that the browser had before. */
export async function keepAdministratorSignedIn(
  request: FastifyRequest,
  reply: FastifyReply,
  { session, deviceToken }: OpenedAdministrator,
): Promise<void> {
  const previous = administratorTransport.presented(request);
  if (previous) await administratorSessions.close(request.em, request.context.clock, previous);
  administratorTransport.send(request, reply, session);
  deviceCookie.keep(request, reply, deviceToken);
  if (pendingSignInCookie.presented(request)) pendingSignInCookie.clear(request, reply);
}

const beginAgain = (reply: FastifyReply, suite: string | null) =>
  reply.flash('warning', signInGone().message).redirect(withSuite(signInPage, suite), 303);

function sendCodePage(reply: FastifyReply, suite: string | null, refused?: RefusedForm): Promise<FastifyReply> {
  if (refused) refusePage(reply, refused.error);
  reply.header('cache-control', 'no-store');
  return reply.page('identity/admin-code', {
    title: 'Validation en deux étapes',
    area: 'admin',
    suite,
    faults: faultsOf(refused?.error),
    refusal: refused && !refused.error.errors ? refused.error.message : null,
  });
}
