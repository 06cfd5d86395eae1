import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { ownCookie } from '../../../platform/http/cookies.ts';

const cookieName = 'inscription';
const path = '/login';
const email = z.email().max(255);

/** Passes the e-mail of a new account to the sign-in page in a cookie, since addresses must not hold personal data. */
export function leaveEmail(request: FastifyRequest, reply: FastifyReply, address: string): void {
  const { name, options } = ownCookie(request, cookieName, path);
  reply.setCookie(name, address, { ...options, maxAge: 60 });
}

/** Returns the e-mail left for this page and removes it; null when there is none. */
export function takeEmail(request: FastifyRequest, reply: FastifyReply): string | null {
  const { name, options } = ownCookie(request, cookieName, path);
  const left = request.cookies[name];
  if (left === undefined) return null;
  reply.clearCookie(name, options);
  return email.safeParse(left).data ?? null;
}
