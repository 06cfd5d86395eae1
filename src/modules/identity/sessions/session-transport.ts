import type { FastifyReply, FastifyRequest } from 'fastify';
import { bearerToken } from '../../../platform/http/bearer.ts';
import { ownCookie } from '../../../platform/http/cookies.ts';
import { hashToken } from '../accounts/token.ts';
import type { OpenSession } from './sessions.ts';

/** Whether this request speaks for itself with a bearer token; a cookie then counts for nothing. */
export function hasBearer(request: FastifyRequest): boolean {
  return bearerToken(request) !== null;
}

interface Travel {
  /** Strict: no request that begins on another site brings it, not even a link's. */
  sameSite: 'lax' | 'strict';
  /** Whether the name without a prefix, of the releases before, is still read over TLS and replaced. */
  readsPlainName: boolean;
}

export type SessionTransport = ReturnType<typeof transport>;
/** Lax: learners come by links of letters and messages, and from the payment's pages. */
export const learnerTransport = transport('userToken', { sameSite: 'lax', readsPlainName: true });
export const administratorTransport = transport('adminToken', { sameSite: 'strict', readsPlainName: false });

/** The hash of the learner's token that this request presents, good or not; null without one. */
export function presentedSession(request: FastifyRequest): string | null {
  const token = learnerTransport.presented(request);
  return token && hashToken(token);
}

/** How one kind of session travels: an HttpOnly cookie, or a bearer token (design §4). */
function transport(plainName: string, { sameSite, readsPlainName }: Travel) {
  const own = (request: FastifyRequest) => {
    const { name, options } = ownCookie(request, plainName);
    return { name, options: { ...options, sameSite } };
  };
  const plain = (request: FastifyRequest) => (readsPlainName ? request.cookies[plainName] : undefined);
  return {
    /** The token this request presents; null without one. A token has a bounded length. */
    presented(request: FastifyRequest): string | null {
      const token = bearerToken(request) ?? request.cookies[own(request).name] ?? plain(request);
      return token && token.length <= 200 ? token : null;
    },
    /** Whether the browser has the session under a name that it is moved from. */
    isUnderPlainName(request: FastifyRequest): boolean {
      const { name } = own(request);
      return name !== plainName && !hasBearer(request) && request.cookies[name] === undefined && plain(request) !== undefined;
    },
    send(request: FastifyRequest, reply: FastifyReply, { token, expiresAt }: OpenSession): void {
      const { name, options } = own(request);
      reply.setCookie(name, token, { ...options, expires: expiresAt });
      if (name !== plainName && plain(request) !== undefined) reply.clearCookie(plainName, options);
    },
    clear(request: FastifyRequest, reply: FastifyReply): void {
      const { name, options } = own(request);
      reply.clearCookie(name, options);
      if (name !== plainName && plain(request) !== undefined) reply.clearCookie(plainName, options);
    },
  };
}
