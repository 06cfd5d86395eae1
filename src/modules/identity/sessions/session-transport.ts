import type { FastifyReply, FastifyRequest } from 'fastify';
import { hashToken } from '../accounts/token.ts';
import type { OpenSession } from './sessions.ts';

/** Whether this request speaks for itself with a bearer token; a cookie then counts for nothing. */
export function hasBearer(request: FastifyRequest): boolean {
  return request.headers.authorization?.startsWith('Bearer ') ?? false;
}

export type SessionTransport = ReturnType<typeof transport>;
export const learnerTransport = transport('userToken');
export const administratorTransport = transport('adminToken');

/** The hash of the learner's token that this request presents, good or not; null without one. */
export function presentedSession(request: FastifyRequest): string | null {
  const token = learnerTransport.presented(request);
  return token && hashToken(token);
}

/** How one kind of session travels: an HttpOnly cookie, or a bearer token (design §4). */
function transport(cookie: string) {
  return {
    /** The token this request presents; null without one. A token has a bounded length. */
    presented(request: FastifyRequest): string | null {
      const token = hasBearer(request) ? request.headers.authorization?.slice('Bearer '.length) : request.cookies[cookie];
      return token && token.length <= 200 ? token : null;
    },
    send(request: FastifyRequest, reply: FastifyReply, { token, expiresAt }: OpenSession): void {
      reply.setCookie(cookie, token, { ...cookieOptions(request), expires: expiresAt });
    },
    clear(request: FastifyRequest, reply: FastifyReply): void {
      reply.clearCookie(cookie, cookieOptions(request));
    },
  };
}

function cookieOptions(request: FastifyRequest) {
  return { path: '/', httpOnly: true, sameSite: 'lax', secure: request.server.siteOrigin(request).startsWith('https:') } as const;
}
