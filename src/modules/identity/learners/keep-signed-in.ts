import type { FastifyReply, FastifyRequest } from 'fastify';
import { learnerTransport } from '../sessions/session-transport.ts';
import { deviceCookie } from '../sign-in/device-cookie.ts';
import type { SignedIn } from './learner.service.ts';

/** What a browser keeps of a learner's sign-in: the session, and what the device is known by beyond it. */
export function keepSignedIn(request: FastifyRequest, reply: FastifyReply, { session, deviceToken }: SignedIn): void {
  // The answer holds the token.
  reply.header('cache-control', 'no-store');
  learnerTransport.send(request, reply, session);
  deviceCookie.keep(request, reply, deviceToken);
}
