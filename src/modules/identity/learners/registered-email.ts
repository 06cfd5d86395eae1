import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';

const cookieName = 'inscription';
const path = '/login';
const email = z.email().max(255);

/** Leaves the e-mail of a new account to the sign-in page that comes next: personal data stand in no address. */
export function leaveEmail(request: FastifyRequest, reply: FastifyReply, address: string): void {
  const secure = request.server.siteOrigin(request).startsWith('https:');
  reply.setCookie(cookieName, address, { path, httpOnly: true, sameSite: 'lax', secure, maxAge: 60 });
}

/** The e-mail that was left for this page, once; null without one. */
export function takeEmail(request: FastifyRequest, reply: FastifyReply): string | null {
  const left = request.cookies[cookieName];
  if (left === undefined) return null;
  reply.clearCookie(cookieName, { path });
  return email.safeParse(left).data ?? null;
}
