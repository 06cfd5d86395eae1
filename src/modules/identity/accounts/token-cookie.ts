import type { FastifyReply, FastifyRequest } from 'fastify';
import { ownCookie } from '../../../platform/http/cookies.ts';
import { isToken } from './token.ts';

/** A cookie that holds one of our tokens, for the pages below `path`. No script reads it. Lax: a letter's link is followed from another site. */
export function tokenCookie(name: string, { path, maxAgeSeconds: maxAge }: { path: string; maxAgeSeconds: number }) {
  return {
    keep(request: FastifyRequest, reply: FastifyReply, token: string): void {
      const cookie = ownCookie(request, name, path);
      reply.setCookie(cookie.name, token, { ...cookie.options, maxAge });
    },
    /** Null for anything that is none of ours. */
    presented(request: FastifyRequest): string | null {
      // Under the name alone it was sent by a release before the prefixes (decision 067).
      const token = request.cookies[ownCookie(request, name, path).name] ?? request.cookies[name];
      return isToken(token) ? token : null;
    },
    clear(request: FastifyRequest, reply: FastifyReply): void {
      const cookie = ownCookie(request, name, path);
      reply.clearCookie(cookie.name, cookie.options);
    },
  };
}
