import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OpenSession } from './sessions.ts';

/** Learner sessions travel in this HttpOnly cookie, or as a bearer token (design §4). */
export const learnerCookie = 'userToken';

/** Whether this request speaks for itself with a bearer token; a cookie then counts for nothing. */
export function hasBearer(request: FastifyRequest): boolean {
  return request.headers.authorization?.startsWith('Bearer ') ?? false;
}

/** The token this request presents; null without one. A token has a bounded length. */
export function presentedToken(request: FastifyRequest): string | null {
  const token = hasBearer(request) ? request.headers.authorization?.slice('Bearer '.length) : request.cookies[learnerCookie];
  return token && token.length <= 200 ? token : null;
}

export function sendSessionCookie(request: FastifyRequest, reply: FastifyReply, session: OpenSession): void {
  reply.setCookie(learnerCookie, session.token, { ...cookieOptions(request), expires: session.expiresAt });
}

export function clearSessionCookie(request: FastifyRequest, reply: FastifyReply): void {
  reply.clearCookie(learnerCookie, cookieOptions(request));
}

function cookieOptions(request: FastifyRequest) {
  return { path: '/', httpOnly: true, sameSite: 'lax', secure: request.server.siteOrigin(request).startsWith('https:') } as const;
}
