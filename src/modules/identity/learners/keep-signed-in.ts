import type { FastifyReply, FastifyRequest } from 'fastify';
import { learnerTransport } from '../sessions/session-transport.ts';
import { deviceCookie } from '../sign-in/device-cookie.ts';
import type { SignedIn } from './learner.service.ts';

/** Sets the cookies of a learner's sign-in: the session, and the token of the known device, which outlasts it. */
export function keepSignedIn(request: FastifyRequest, reply: FastifyReply, { session, deviceToken }: SignedIn): void {
  // The response contains the token.
  reply.header('cache-control', 'no-store');
  learnerTransport.send(request, reply, session);
  deviceCookie.keep(request, reply, deviceToken);
}
