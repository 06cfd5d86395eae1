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
    /** The signed-in learner; null for a visitor. Never set together with `administrator`. */
    learner: Learner | null;
    /** The signed-in learner, for handlers behind a guard. @throws AppError 401 for a visitor */
    readonly signedInLearner: Learner;
    /** The signed-in administrator, on routes with the audience 'administrator' or 'shared'. */
    administrator: AdministratorInSession | null;
    /** The administrator as author of changes. @throws AppError 401 when no administrator is signed in */
    readonly actor: AdministratorActor;
    /** Whether the request presented a session that has ended or never existed. */
    sessionExpired: boolean;
  }
  interface FastifyInstance {
    /** Whether super administrators must have a second factor. */
    demandsSecondFactor: boolean;
    /** Guard for learners: a page redirects others to the sign-in and back, a call gets a 401. */
    requireLearner(request: FastifyRequest, reply: FastifyReply): Promise<void>;
    /** Guard for routes with the audience 'administrator': a page redirects others to /admin/connexion, a call gets a 401. */
    requireAdministrator(request: FastifyRequest, reply: FastifyReply): Promise<void>;
    /** Guard for super administrators: other administrators get a 403. */
    requireSuperAdministrator(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  }
  interface FastifyContextConfig {
    /**
     * Returns the page to which a person returns who sent this form without a session and then signs in, with what was typed in its query.
     * By default, the page that the request names as its referrer.
     */
    formPage?: (request: FastifyRequest) => string;
    /**
     * The accounts whose session is read; by default learners. 'shared': a read by both learners and administrators.
     * If both are signed in in one browser, the learner's session is used, except for an administrator's bearer token and for
     * requests from /admin pages (design §4).
     */
    audience?: 'administrator' | 'shared';
    /** Open to a super administrator who still has to set up the required second factor. */
    withoutSecondFactor?: boolean;
  }
}

/** Returns the options of a route for administrators. */
export const administratorsOnly = (app: FastifyInstance) => ({
  preHandler: [app.requireAdministrator],
  config: { audience: 'administrator' as const },
});

/** Returns the options of a route for administrators whose body is read and validated only after the guard. */
export const administratorsBeforeBody = (app: FastifyInstance) => ({
  onRequest: [app.requireAdministrator],
  config: { audience: 'administrator' as const },
});

/** Returns the options of a route for super administrators. */
export const superAdministratorsOnly = (app: FastifyInstance) => ({
  preHandler: [app.requireSuperAdministrator],
  config: { audience: 'administrator' as const },
});

/** Page on which a second factor is set up. */
export const secondFactorPage = '/admin/compte/deux-etapes';

const signInPages = { learner: '/login', administrator: '/admin/connexion' } as const;

/**
 * Sets `request.learner` or `request.administrator`. Sends one named statement, and only when the request has a cookie or bearer
 * token.
 */
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
      // Administrators must see their changes at once, on public pages too, so replicas are not used for them.
      if (!hasBearer(request) && administratorTransport.presented(request) !== null) readFromPrimary(request.em);
      // The prefix also covers unknown addresses below /admin: their error page has the administrator's bar.
      const { audience = request.url.startsWith('/admin/') ? 'administrator' : undefined } = request.routeOptions.config;
      if (anonymous) return;
      // The response may depend on the session, so shared caches must not store it.
      // Administrators' pages are not stored at all, not even by their browser.
      const kept = audience === 'administrator' ? 'no-store' : 'no-cache';
      reply.header('cache-control', `private, ${kept}`).header('vary', 'cookie, authorization');
      if (ownSession) return;
      if (audience === 'administrator') await asAdministrator(request, reply);
      else if (audience === 'shared') await identifyReader(request, reply);
      else await identifyLearner(request, reply);
      if (request.learner || request.administrator) request.sessionExpired = false;
      // An administrator with a bearer token sends no cookie.
      if (request.administrator !== null) readFromPrimary(request.em);
      if (request.administrator) reply.header('cache-control', 'private, no-store');
      else if (audience === 'administrator' && comesFromElsewhere(request)) return sendAgain(request, reply);
    });

    // If such a route refuses a request before its own session lookup, the error page still needs the learner's header.
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
      const back = isFormPost(request) ? backToForm(request) : request.url;
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

/** Sets the reader of a route with the audience 'shared'. A route with `ownSession` calls this only when needed. */
export async function identifyReader(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (fromAdminPage(request)) (await asAdministrator(request, reply)) || (await identifyLearner(request, reply));
  else (await identifyLearner(request, reply)) || (await asAdministrator(request, reply));
  // Without the required second factor, an administrator is a visitor on shared routes.
  if (lacksSecondFactor(request)) request.administrator = null;
  if (request.learner || request.administrator) request.sessionExpired = false;
}

/**
 * Returns whether the presented session has ended or never existed. A bearer token that is valid for the other kind of account has
 * not. Called only for refused requests.
 */
async function hasExpired(request: FastifyRequest, others: Sessions<unknown>, idleMs?: number): Promise<boolean> {
  if (!request.sessionExpired || !hasBearer(request)) return request.sessionExpired;
  const token = learnerTransport.presented(request);
  return token === null || (await others.read(request.em, request.context.clock, token, idleMs === undefined ? {} : { idleMs })) === null;
}

/** Returns whether the settings require a second factor of the signed-in administrator. */
export const isSecondFactorDemanded = ({ administrator, server }: FastifyRequest): boolean =>
  server.demandsSecondFactor && administrator?.role === 'super_admin';

const lacksSecondFactor = (request: FastifyRequest): boolean =>
  isSecondFactorDemanded(request) && request.administrator?.hasSecondFactor === false;

/** Returns the request's referrer; null when it is missing or invalid. Our referrer policy sends the full address only within the site. */
function refererOf(request: FastifyRequest): URL | null {
  const { referer } = request.headers;
  return referer !== undefined && URL.canParse(referer) ? new URL(referer) : null;
}

const fromAdminPage = (request: FastifyRequest): boolean => refererOf(request)?.pathname.startsWith('/admin/') ?? false;

/** Returns the page with the form that was sent, also for a browser without referrers. A query that is too long to come back is left out. */
function backToForm(request: FastifyRequest): string {
  const page = request.routeOptions.config.formPage?.(request);
  return page === undefined ? pageOf(request) : localPath(page, localPath(page.split('?')[0]));
}

/** Returns the page with the form that was sent, so that the person can repeat the action there. */
export function pageOf(request: FastifyRequest, fallback?: string): string {
  const page = refererOf(request);
  if (page?.origin !== (request.server.ownOrigin(request) ?? request.server.siteOrigin(request))) return localPath(null, fallback);
  return localPath(page.pathname + page.search, fallback);
}
