import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { withZod } from '../../../platform/http/validators.ts';
import { flashDone } from '../../../platform/pages/flash.ts';
import { answerForm, faultsOf, type RefusedForm, refusePage, typedFields } from '../../../platform/pages/form-answer.ts';
import { profileSchema } from '../../../shared/forms/learner.ts';
import type { Learner } from '../accounts/learner.ts';
import { presentSession } from '../sessions/session.presenter.ts';
import { maxSessions, type SessionRow } from '../sessions/session.repository.ts';
import { callerOf } from '../sign-in/caller.ts';
import { keepSignedIn } from './keep-signed-in.ts';
import type { LearnerLimits } from './learner.service.ts';
import { endOtherSessions, ownSessions, ownToken, profileMessages, sessionParams } from './profile.routes.ts';
import { changePassword, endSession, renameLearner } from './profile.service.ts';

const basePath = '/user/profil';

declare module '../../../platform/pages/views.ts' {
  interface PageLocals {
    'identity/profile': ReturnType<typeof presentProfile>;
  }
}

/** /user/profil: one's names, password and sessions, all of it plain forms. */
export const profilePages: FastifyPluginAsync<{ limits: LearnerLimits }> = async (instance, { limits }) => {
  const app = withZod(instance);
  const preHandler = [app.requireLearner];

  app.get(basePath, { preHandler }, (request, reply) => sendProfile(request, reply));
  // A refused form's address, opened again.
  for (const form of ['nom', 'mot-de-passe'])
    app.get(`${basePath}/${form}`, { preHandler }, (_request, reply) => reply.redirect(basePath, 303));

  app.post(`${basePath}/nom`, { preHandler }, async (request, reply) => {
    await answerForm(
      request,
      async (form) => {
        await renameLearner(request.em, request.context, request.signedInLearner, form);
        return reply.flash('success', profileMessages.renamed).redirect(basePath, 303);
      },
      (refused) => sendProfile(request, reply, { about: 'username', ...refused }),
    );
    return reply;
  });

  app.post(`${basePath}/mot-de-passe`, { preHandler }, async (request, reply) => {
    await answerForm(
      request,
      async (form) => {
        const own = { learner: request.signedInLearner, token: ownToken(request) };
        keepSignedIn(request, reply, await changePassword(request.em, request.context, own, form, limits, callerOf(request)));
        return reply.flash('success', profileMessages.password).redirect(basePath, 303);
      },
      (refused) => sendProfile(request, reply, { about: 'password', ...refused }),
    );
    return reply;
  });

  app.post(`${basePath}/sessions/:id/terminer`, { preHandler, schema: { params: sessionParams } }, async (request, reply) => {
    await flashDone(
      request,
      reply,
      endSession(request.em, request.context, request.signedInLearner, request.params.id),
      profileMessages.ended,
    );
    return reply.redirect(basePath, 303);
  });

  app.post(`${basePath}/sessions/terminer-les-autres`, { preHandler }, async (request, reply) => {
    await endOtherSessions(request);
    return reply.flash('success', profileMessages.othersEnded).redirect(basePath, 303);
  });
};

interface RefusedChange extends RefusedForm {
  /** Which of the page's forms. */
  about: 'username' | 'password';
}

async function sendProfile(request: FastifyRequest, reply: FastifyReply, refused?: RefusedChange): Promise<FastifyReply> {
  const profile = presentProfile(request.signedInLearner, await ownSessions(request), request.context.clock.now(), refused);
  if (refused) refusePage(reply, refused.error);
  return reply.page('identity/profile', { title: 'Mon profil', noindex: true, learnerCss: true, ...profile });
}

/** What was typed comes back, a password never does. */
function presentProfile(learner: Learner, sessions: SessionRow[], now: Date, refused?: RefusedChange) {
  const typed = refused?.about === 'username' ? typedFields(refused.form, Object.keys(profileSchema.shape)) : {};
  return {
    account: { ...learner, ...typed },
    /** Of the form that was refused, by field. */
    faults: faultsOf(refused?.error),
    /** A refusal that is no field's. */
    refusal: refused && !refused.error.errors ? { about: refused.about, message: refused.error.message } : null,
    /** How many are listed at most, when there may be others. */
    maxSessions: sessions.length < maxSessions ? null : maxSessions,
    sessions: sessions.map((session) => presentSession(session, now)),
  };
}
