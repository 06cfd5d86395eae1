import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { isFormPost, wantsHtml } from '../../platform/negotiation.ts';
import { sessionExpired, signInRequired } from './identity.errors.ts';
import { signInAddress } from './return-path.ts';
import { clearSessionCookie, hasBearer, presentedToken, sendSessionCookie } from './session-transport.ts';
import { type Learner, readSession } from './sessions.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is signed in as a learner; null for a visitor. */
    learner: Learner | null;
    /** A session was presented that has ended or never was. */
    sessionExpired: boolean;
  }
  interface FastifyInstance {
    /** Guard: lets learners pass; a page sends others to the sign-in and back, a call gets a 401. */
    requireLearner(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  }
  interface FastifyContextConfig {
    /** Nobody is looked up: the answer is the same for all. */
    anonymous?: boolean;
  }
}

/** Fills `request.learner`: one named statement, only when a cookie or bearer is there. */
export const guards = fp(
  async (app) => {
    app.decorateRequest('learner', null);
    app.decorateRequest('sessionExpired', false);

    app.addHook('onRequest', async (request, reply) => {
      if (request.routeOptions.config.anonymous) return;
      // The answer may depend on who asks: no cache may give it to somebody else.
      reply.header('cache-control', 'private, no-cache').header('vary', 'cookie, authorization');
      const token = presentedToken(request);
      if (!token) return;
      const found = await readSession(request.em, request.context.clock, token);
      if (!found) {
        request.sessionExpired = true;
        if (!hasBearer(request)) clearSessionCookie(request, reply);
        return;
      }
      request.learner = found.learner;
      if (found.extended && !hasBearer(request)) sendSessionCookie(request, reply, found.extended);
    });

    app.decorate('requireLearner', async (request: FastifyRequest, reply: FastifyReply) => {
      if (request.learner) return;
      if (!wantsHtml(request)) throw request.sessionExpired ? sessionExpired() : signInRequired();
      const back = isFormPost(request) ? '/user/dashboard' : request.url;
      if (request.sessionExpired) {
        reply.flash('warning', sessionExpired().message).redirect(`/login?suite=${encodeURIComponent(back)}`, 303);
      } else {
        reply.redirect(signInAddress(back), 303);
      }
      await reply;
    });
  },
  { name: 'guards', dependencies: ['kernel-access', '@fastify/cookie', 'flash'] },
);
