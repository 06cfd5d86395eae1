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
      /** The address that the learner should confirm; null when it is confirmed, or no confirmation is required. */
      emailToConfirm: string | null;
      /** Sections of other modules, shown below the devices. */
      sections: ProfileSection[];
    };
  }
}

/** A section of the page that another module shows: a view's name under `views/`, and its data. */
interface ProfileSection {
  view: string;
  data: object;
}
type ProfileContributor = (request: FastifyRequest) => Promise<ProfileSection | null>;

declare module 'fastify' {
  interface FastifyInstance {
    /** Adds a section to a learner's profile. The contributor returns null when there is nothing to show. */
    contributeToProfile(contributor: ProfileContributor): void;
    profileContributors: readonly ProfileContributor[];
  }
}

/** Adds `contributeToProfile`. Must be registered before the modules that contribute. */
export function decorateProfile(app: FastifyInstance): void {
  const contributors: ProfileContributor[] = [];
  app.decorate('profileContributors', contributors);
  app.decorate('contributeToProfile', (contributor: ProfileContributor) => {
    contributors.push(contributor);
  });
}

/** Serves /user/profil: the learner's names, password and sessions, as plain forms. */
export const profilePages: FastifyPluginAsync<{ limits: LearnerLimits; confirms: boolean }> = async (instance, { limits, confirms }) => {
  const app = withZod(instance);
  const preHandler = [app.requireLearner];

  app.get(basePath, { preHandler }, (request, reply) => sendProfile(request, reply, confirms));
  // The URL of a refused form, opened again with GET, redirects to the page of the form.
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
  /** The refused form. */
  about: 'username' | 'password';
}

/** @param confirms whether the page shows that the address is not confirmed */
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

/** Returns the page's data with the typed values, but never a password. */
function presentProfile(learner: Learner, sessions: SessionRow[], now: Date, refused?: RefusedChange) {
  const typed = refused?.about === 'username' ? typedFields(refused.form, Object.keys(profileSchema.shape)) : {};
  return {
    account: { ...learner, ...typed },
    /** Faults of the refused form, by field. */
    faults: faultsOf(refused?.error),
    /** A refusal that belongs to no field. */
    refusal: refused && !refused.error.errors ? { about: refused.about, message: refused.error.message } : null,
    /** The list's limit, when the list may be incomplete; otherwise null. */
    maxSessions: sessions.length < maxSessions ? null : maxSessions,
    sessions: sessions.map((session) => presentSession(session, now)),
  };
}
