import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { withZod } from '../../../platform/http/validators.ts';
import { flashDone } from '../../../platform/pages/flash.ts';
import { answerForm, faultsOf, type RefusedForm, refusePage, typedFields } from '../../../platform/pages/form-answer.ts';
import { profileSchema } from '../../../shared/forms/learner.ts';
import type { Learner } from '../accounts/learner.ts';
import { presentSession } from '../sessions/session.presenter.ts';
import { maxSessions, type SessionRow } from '../sessions/session.repository.ts';
import { callerOf } from '../sign-in/caller.ts';
import { readConfirmation } from './confirmation.service.ts';
import { keepSignedIn } from './keep-signed-in.ts';
import type { LearnerLimits } from './learner.service.ts';
import { endOtherSessions, ownSessions, ownToken, profileMessages, sessionParams } from './profile.routes.ts';
import { changePassword, endSession, renameLearner } from './profile.service.ts';

const basePath = '/user/profil';

declare module '../../../platform/pages/views.ts' {
  interface PageLocals {
    'identity/profile': ReturnType<typeof presentProfile> & {
      /** The address that the learner is asked to confirm. */
      emailToConfirm: string | null;
      /** What other modules add, below the devices. */
      sections: ProfileSection[];
    };
  }
}

/** A part of the page that another module shows: a view, by its name under `views/`, with what it is given. */
interface ProfileSection {
  view: string;
  data: object;
}
type ProfileContributor = (request: FastifyRequest) => Promise<ProfileSection | null>;

declare module 'fastify' {
  interface FastifyInstance {
    /** Adds a section to a learner's profile; none where there is nothing to show. */
    contributeToProfile(contributor: ProfileContributor): void;
    profileContributors: readonly ProfileContributor[];
  }
}

/** Before the modules that contribute. */
export function decorateProfile(app: FastifyInstance): void {
  const contributors: ProfileContributor[] = [];
  app.decorate('profileContributors', contributors);
  app.decorate('contributeToProfile', (contributor: ProfileContributor) => {
    contributors.push(contributor);
  });
}

/** /user/profil: one's names, password and sessions, all of it plain forms. */
export const profilePages: FastifyPluginAsync<{ limits: LearnerLimits; confirms: boolean }> = async (instance, { limits, confirms }) => {
  const app = withZod(instance);
  const preHandler = [app.requireLearner];

  app.get(basePath, { preHandler }, (request, reply) => sendProfile(request, reply, confirms));
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
      (refused) => sendProfile(request, reply, confirms, { about: 'username', ...refused }),
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
      (refused) => sendProfile(request, reply, confirms, { about: 'password', ...refused }),
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

/** @param confirms whether an address that is not confirmed is said */
async function sendProfile(
  request: FastifyRequest,
  reply: FastifyReply,
  confirms: boolean,
  refused?: RefusedChange,
): Promise<FastifyReply> {
  const learner = request.signedInLearner;
  const profile = presentProfile(learner, await ownSessions(request), request.context.clock.now(), refused);
  const toConfirm = confirms && !(await readConfirmation(request.em, request.context, learner, null)).confirmed;
  const sections = await Promise.all(request.server.profileContributors.map((contribute) => contribute(request)));
  if (refused) refusePage(reply, refused.error);
  return reply.page('identity/profile', {
    title: 'Mon profil',
    noindex: true,
    learnerCss: true,
    ...profile,
    emailToConfirm: toConfirm ? learner.email : null,
    sections: sections.filter((section) => section !== null),
  });
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
