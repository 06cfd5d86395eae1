import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SignedIn } from '../learner.service.ts';
import { learnerTransport } from '../session-transport.ts';
import { deviceCookie } from './device-cookie.ts';

/** What a browser keeps of a learner's sign-in: the session, and what the device is known by beyond it. */
export function keepSignedIn(request: FastifyRequest, reply: FastifyReply, { session, deviceToken }: SignedIn): void {
  learnerTransport.send(request, reply, session);
  deviceCookie.keep(request, reply, deviceToken);
}
