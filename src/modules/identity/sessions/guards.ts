import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { readFromPrimary } from '../../../platform/database/replicas/replicas.ts';
import { isFormPost, wantsHtml } from '../../../platform/http/negotiation.ts';
import { networkOf } from '../../../platform/limits/network.ts';
import type { Config } from '../../../platform/settings/config.ts';
import { type AdministratorActor, actorOf } from '../accounts/actor.ts';
import {
  administratorSignInRequired,
  roleRefused,
  secondFactorDemanded,
  sessionExpired,
  signInRequired,
} from '../accounts/identity.errors.ts';
import type { Learner } from '../accounts/learner.ts';
import { comesFromElsewhere, sendAgain } from './come-again.ts';
import { identifyAdministrator, identifyLearner } from './identification.ts';
import { localPath, signInAddress } from './return-path.ts';
import { administratorTransport, hasBearer, learnerTransport } from './session-transport.ts';
import { type AdministratorInSession, administratorSessions, learnerSessions, type Sessions } from './sessions.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is signed in as a learner; null for a visitor. Never set together with `administrator`. */
    learner: Learner | null;
    /** The learner, behind the guard or wherever there must be one. @throws AppError 401 for a visitor */
    readonly signedInLearner: Learner;
    /** Who is signed in as an administrator, on routes of that audience and on shared ones. */
    administrator: AdministratorInSession | null;
    /** For what an administrator does: who it is. @throws AppError 401 where nobody is signed in as one */
    readonly actor: AdministratorActor;
    /** A session was presented that has ended or never was. */
    sessionExpired: boolean;
  }
  interface FastifyInstance {
    /** Whether super administrators must have a second step of the sign-in. */
    demandsSecondFactor: boolean;
    /** Guard: lets learners pass; a page sends others to the sign-in and back, a call gets a 401. */
    requireLearner(request: FastifyRequest, reply: FastifyReply): Promise<void>;
    /** Guard for routes of the audience 'administrator': others go to /admin/connexion, a call gets a 401. */
    requireAdministrator(request: FastifyRequest, reply: FastifyReply): Promise<void>;
    /** The same, and 403 for an administrator who is no super administrator. */
    requireSuperAdministrator(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  }
  interface FastifyContextConfig {
    /**
     * Whose session counts; learners' without it. 'shared': a read that both make. With both signed in in one browser it is the learner's,
     * but for an administrator's bearer and for requests of /admin pages (design §4).
     */
    audience?: 'administrator' | 'shared';
    /** Open also to a super administrator who has yet to set up the second step that the settings demand. */
    withoutSecondFactor?: boolean;
  }
}

/** Options of a route for administrators. */
export const administratorsOnly = (app: FastifyInstance) => ({
  preHandler: [app.requireAdministrator],
  config: { audience: 'administrator' as const },
});

/** The same where a body comes along: it is neither read nor judged before they are known. */
export const administratorsBeforeBody = (app: FastifyInstance) => ({
  onRequest: [app.requireAdministrator],
  config: { audience: 'administrator' as const },
});

/** Options of a route for super administrators. */
export const superAdministratorsOnly = (app: FastifyInstance) => ({
  preHandler: [app.requireSuperAdministrator],
  config: { audience: 'administrator' as const },
});

/** Where a second step is set up. */
export const secondFactorPage = '/admin/compte/deux-etapes';

const signInPages = { learner: '/login', administrator: '/admin/connexion' } as const;

/** Fills `request.learner` or `request.administrator`: one named statement, only when a cookie or bearer is there. */
export const guards = fp<{ config: Config }>(
  async (app, { config }) => {
    app.decorate('site', config.site);
    app.decorate('administratorIdleMs', config.administratorIdleMs);
    app.decorateRequest('learner', null);
    app.decorateRequest('administrator', null);
    app.decorateRequest('sessionExpired', false);
    app.decorateRequest('sessionRead', false);
    app.decorateRequest('sessionEnding', null);
    app.decorateRequest('signedInLearner', {
      getter() {
        if (!this.learner) throw signInRequired();
        return this.learner;
      },
    });
    app.decorateRequest('actor', {
      getter() {
        if (!this.administrator) throw administratorSignInRequired();
        return actorOf(this.administrator, networkOf(this.ip));
      },
    });

    app.nameCaller(({ learner, administrator }) => ({ userId: learner?.id, administratorId: administrator?.id }));

    app.addHook('onRequest', async (request, reply) => {
      const { anonymous, ownSession } = request.routeOptions.config;
      // Whoever changes the contents sees it at once, on pages for everybody too.
      if (!hasBearer(request) && administratorTransport.presented(request) !== null) readFromPrimary(request.em);
      // Also an address below /admin that leads nowhere: its error page has the administrator's bar.
      const { audience = request.url.startsWith('/admin/') ? 'administrator' : undefined } = request.routeOptions.config;
      if (anonymous) return;
      // The answer may depend on who asks: no cache may give it to somebody else.
      // What administrators see is kept nowhere, not even by their browser.
      const kept = audience === 'administrator' ? 'no-store' : 'no-cache';
      reply.header('cache-control', `private, ${kept}`).header('vary', 'cookie, authorization');
      if (ownSession) return;
      if (audience === 'administrator') await asAdministrator(request, reply);
      else if (audience === 'shared') await identifyReader(request, reply);
      else await identifyLearner(request, reply);
      if (request.learner || request.administrator) request.sessionExpired = false;
      // One with a bearer brings no cookie.
      if (request.administrator !== null) readFromPrimary(request.em);
      if (request.administrator) reply.header('cache-control', 'private, no-store');
      else if (audience === 'administrator' && comesFromElsewhere(request)) return sendAgain(request, reply);
    });

    // What is refused before such a route has asked has the learner's header all the same.
    app.addHook('onRoute', (route) => {
      if (!route.config?.ownSession) return;
      route.errorHandler = async (error, request, reply) => {
        if (!request.sessionRead) await identifyLearner(request, reply).catch(() => undefined);
        throw error;
      };
    });

    app.decorate('requireLearner', async (request: FastifyRequest, reply: FastifyReply) => {
      if (request.learner) return;
      if (!wantsHtml(request))
        throw (await hasExpired(request, administratorSessions, app.administratorIdleMs))
          ? sessionExpired(request.sessionEnding)
          : signInRequired();
      const back = isFormPost(request) ? pageOf(request) : request.url;
      if (request.sessionExpired) {
        reply
          .flash('warning', sessionExpired(request.sessionEnding).message)
          .redirect(`${signInPages.learner}?suite=${encodeURIComponent(back)}`, 303);
      } else {
        reply.redirect(signInAddress(back), 303);
      }
      await reply;
    });

    app.decorate('requireAdministrator', async (request: FastifyRequest, reply: FastifyReply) => {
      if (request.administrator) {
        if (request.routeOptions.config.withoutSecondFactor || !lacksSecondFactor(request)) return;
        if (!wantsHtml(request)) throw secondFactorDemanded();
        reply.flash('warning', secondFactorDemanded().message).redirect(secondFactorPage, 303);
        await reply;
        return;
      }
      const refusal = (await hasExpired(request, learnerSessions)) ? sessionExpired() : administratorSignInRequired();
      if (!wantsHtml(request)) throw refusal;
      const back = isFormPost(request) ? '' : `?suite=${encodeURIComponent(request.url)}`;
      reply.flash('warning', refusal.message).redirect(`${signInPages.administrator}${back}`, 303);
      await reply;
    });

    app.decorate('requireSuperAdministrator', async (request: FastifyRequest, reply: FastifyReply) => {
      await app.requireAdministrator(request, reply);
      if (request.administrator && request.administrator.role !== 'super_admin') throw roleRefused();
    });
  },
  { name: 'guards', dependencies: ['kernel-access', '@fastify/cookie', 'flash', 'early-header'] },
);

async function asAdministrator(request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
  request.administrator = await identifyAdministrator(request, reply);
  return request.administrator !== null;
}

/** Who asks for what learners and administrators both read: on routes of the audience 'shared'; one with `ownSession` asks when it must. */
export async function identifyReader(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (fromAdminPage(request)) (await asAdministrator(request, reply)) || (await identifyLearner(request, reply));
  else (await identifyLearner(request, reply)) || (await asAdministrator(request, reply));
  // To what both read they are a visitor until then.
  if (lacksSecondFactor(request)) request.administrator = null;
  if (request.learner || request.administrator) request.sessionExpired = false;
}

/** Whether what was presented has ended, or never was: a bearer that is good for the others' calls has not. Read only where somebody is refused. */
async function hasExpired(request: FastifyRequest, others: Sessions<unknown>, idleMs?: number): Promise<boolean> {
  if (!request.sessionExpired || !hasBearer(request)) return request.sessionExpired;
  const token = learnerTransport.presented(request);
  return token === null || (await others.read(request.em, request.context.clock, token, idleMs === undefined ? {} : { idleMs })) === null;
}

/** Whether the settings demand a second step of whoever is signed in. */
export const isSecondFactorDemanded = ({ administrator, server }: FastifyRequest): boolean =>
  server.demandsSecondFactor && administrator?.role === 'super_admin';

const lacksSecondFactor = (request: FastifyRequest): boolean =>
  isSecondFactorDemanded(request) && request.administrator?.hasSecondFactor === false;

/** Where one was; null from elsewhere. Pages of the site send their whole address along within it (the referrer policy). */
function refererOf(request: FastifyRequest): URL | null {
  const { referer } = request.headers;
  return referer !== undefined && URL.canParse(referer) ? new URL(referer) : null;
}

const fromAdminPage = (request: FastifyRequest): boolean => refererOf(request)?.pathname.startsWith('/admin/') ?? false;

/** The page that a form stands on: what it would have done is still to be done there. */
export function pageOf(request: FastifyRequest, fallback?: string): string {
  const page = refererOf(request);
  if (page?.origin !== (request.server.ownOrigin(request) ?? request.server.siteOrigin(request))) return localPath(null, fallback);
  return localPath(page.pathname + page.search, fallback);
}
