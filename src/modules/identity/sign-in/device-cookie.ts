import type { FastifyReply, FastifyRequest } from 'fastify';
import { isToken } from '../accounts/token.ts';
import { knownDays } from './known-device.repository.ts';

const name = 'deviceToken';

/** What a browser is known by from its sign-ins, beyond the sign-out: it is no session and opens nothing. No script reads it. */
export const deviceCookie = {
  keep(request: FastifyRequest, reply: FastifyReply, token: string): void {
    const secure = request.server.siteOrigin(request).startsWith('https:');
    reply.setCookie(name, token, { path: '/', httpOnly: true, sameSite: 'lax', secure, maxAge: knownDays * 86_400 });
  },
  /** Null for anything that is none of ours. */
  presented(request: FastifyRequest): string | null {
    const token = request.cookies[name];
    return isToken(token) ? token : null;
  },
};
