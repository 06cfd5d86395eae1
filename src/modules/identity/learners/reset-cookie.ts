import type { FastifyReply, FastifyRequest } from 'fastify';
import { isToken } from '../accounts/token.ts';
import { resetLifetimeMs } from './password-reset.service.ts';

const name = 'resetToken';
const path = '/nouveau-mot-de-passe';

/** Where a letter's token is from the moment its link is followed: in a cookie for that one page, which no script reads. */
export const resetCookie = {
  /** Of somebody else's making, it is not kept. */
  keep(request: FastifyRequest, reply: FastifyReply, token: unknown): void {
    const secure = request.server.siteOrigin(request).startsWith('https:');
    // Lax: the link is followed from a letter, which is another site to the browser.
    if (isToken(token)) reply.setCookie(name, token, { path, httpOnly: true, sameSite: 'lax', secure, maxAge: resetLifetimeMs / 1000 });
    else resetCookie.clear(reply);
  },
  presented(request: FastifyRequest): string | null {
    const token = request.cookies[name];
    return isToken(token) ? token : null;
  },
  clear(reply: FastifyReply): void {
    reply.clearCookie(name, { path });
  },
};
