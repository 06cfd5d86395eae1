import type { FastifyReply, FastifyRequest } from 'fastify';
import { bearerToken } from '../../../platform/http/bearer.ts';
import { ownCookie } from '../../../platform/http/cookies.ts';
import { hashToken } from '../accounts/token.ts';
import type { OpenSession } from './sessions.ts';

/** Returns whether the request has a bearer token. Its cookies are then ignored. */
export function hasBearer(request: FastifyRequest): boolean {
  return bearerToken(request) !== null;
}

interface Travel {
  /** Strict: the cookie is not sent with any request that starts on another site, not even after a link. */
  sameSite: 'lax' | 'strict';
  /** Whether a cookie under the name without prefix, set by earlier releases, is still read over TLS and replaced. */
  readsPlainName: boolean;
}

export type SessionTransport = ReturnType<typeof transport>;
/** Lax, since learners arrive by links in e-mails and messages, and from the payment provider's pages. */
export const learnerTransport = transport('userToken', { sameSite: 'lax', readsPlainName: true });
export const administratorTransport = transport('adminToken', { sameSite: 'strict', readsPlainName: false });

/** Returns the hash of the learner's token in the request, valid or not; null without one. */
export function presentedSession(request: FastifyRequest): string | null {
  const token = learnerTransport.presented(request);
  return token && hashToken(token);
}

/** Returns the functions that read and write one kind of session: an HttpOnly cookie, or a bearer token (design §4). */
function transport(plainName: string, { sameSite, readsPlainName }: Travel) {
  const own = (request: FastifyRequest) => {
    const { name, options } = ownCookie(request, plainName);
    return { name, options: { ...options, sameSite } };
  };
  const plain = (request: FastifyRequest) => (readsPlainName ? request.cookies[plainName] : undefined);
  return {
    /** Returns the request's token; null when there is none or it is too long. */
    presented(request: FastifyRequest): string | null {
      const token = bearerToken(request) ?? request.cookies[own(request).name] ?? plain(request);
      return token && token.length <= 200 ? token : null;
    },
    /** Returns whether the browser has the session under the old name, which should be replaced. */
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
