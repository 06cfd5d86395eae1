import type { FastifyReply, FastifyRequest } from 'fastify';
import { ownCookie } from '../../../platform/http/cookies.ts';
import { isToken } from './token.ts';

/**
 * Returns the functions of an HttpOnly cookie that holds a token, for pages below `path`. SameSite=Lax, since links in e-mails are
 * followed from other sites.
 */
export function tokenCookie(name: string, { path, maxAgeSeconds: maxAge }: { path: string; maxAgeSeconds: number }) {
  return {
    keep(request: FastifyRequest, reply: FastifyReply, token: string): void {
      const cookie = ownCookie(request, name, path);
      reply.setCookie(cookie.name, token, { ...cookie.options, maxAge });
    },
    /** Returns the token of the cookie; null when it is missing or has not the form of our tokens. */
    presented(request: FastifyRequest): string | null {
      // Releases before decision 067 set the cookie without a name prefix.
      const token = request.cookies[ownCookie(request, name, path).name] ?? request.cookies[name];
      return isToken(token) ? token : null;
    },
    clear(request: FastifyRequest, reply: FastifyReply): void {
      const cookie = ownCookie(request, name, path);
      reply.clearCookie(cookie.name, cookie.options);
    },
  };
}
