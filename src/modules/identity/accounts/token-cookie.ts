import type { FastifyReply, FastifyRequest } from 'fastify';
import { isToken } from './token.ts';

/** A cookie that holds one of our tokens, for the pages below `path`. No script reads it. */
export function tokenCookie(name: string, { path, maxAgeSeconds: maxAge }: { path: string; maxAgeSeconds: number }) {
  return {
    keep(request: FastifyRequest, reply: FastifyReply, token: string): void {
      const secure = request.server.siteOrigin(request).startsWith('https:');
      // Lax: a letter's link is followed from another site.
      reply.setCookie(name, token, { path, httpOnly: true, sameSite: 'lax', secure, maxAge });
    },
    /** Null for anything that is none of ours. */
    presented(request: FastifyRequest): string | null {
      const token = request.cookies[name];
      return isToken(token) ? token : null;
    },
    clear(reply: FastifyReply): void {
      reply.clearCookie(name, { path });
    },
  };
}
