import type { FastifyReply, FastifyRequest } from 'fastify';
import { ownCookie } from '../../../platform/http/cookies.ts';
import { hasBearer } from './session-transport.ts';

/** Lifetime of the cookie in seconds: until the browser opens its next page. */
const maxAge = 86_400;

/**
 * Makes the browser delete the data stored for the person who signs out.
 * After a learner's sign-out, the next page's script deletes the learner's items by name (islands/behaviours/signed-out.ts), so that
 * an administrator's drafts in the same browser stay.
 * After an administrator's sign-out, the response makes the browser clear all storage, but not its cache, which would have to be
 * downloaded again.
 */
export function forgetInBrowser(request: FastifyRequest, reply: FastifyReply, who: 'candidat' | 'administrateur'): void {
  if (hasBearer(request)) return;
  const { name, options } = ownCookie(request, 'sortie');
  reply.setCookie(name, who, { ...options, httpOnly: false, maxAge });
  if (who === 'administrateur') reply.header('clear-site-data', '"storage"');
}
