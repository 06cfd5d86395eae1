import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OpenSession } from './sessions.ts';

/** Learner sessions travel in this HttpOnly cookie, or as a bearer token (design §4). */
export const learnerCookie = 'userToken';

/** The token this request presents, bearer first; null without one. A token has a bounded length. */
export function presentedToken(request: FastifyRequest): string | null {
  const bearer = /^Bearer ([\w-]{1,200})$/.exec(request.headers.authorization ?? '')?.[1];
  const token = bearer ?? request.cookies[learnerCookie] ?? null;
  return token !== null && token.length > 0 && token.length <= 200 ? token : null;
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
