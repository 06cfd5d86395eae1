import type { FastifyReply, FastifyRequest } from 'fastify';
import { ownCookie } from '../../../platform/http/cookies.ts';
import { hasBearer } from './session-transport.ts';

/** Long enough for the next page that this browser opens, in seconds. */
const maxAge = 86_400;

/**
 * What the browser has kept of whoever signs out goes too. The next page's script takes it away by its names (islands/behaviours/signed-out.ts): a learner's sign-out
 * leaves what an administrator has typed in the same browser. After an administrator's the browser is told to clear all that scripts have kept; not what it has
 * fetched, which would cost its data once more.
 */
export function forgetInBrowser(request: FastifyRequest, reply: FastifyReply, who: 'candidat' | 'administrateur'): void {
  if (hasBearer(request)) return;
  const { name, options } = ownCookie(request, 'sortie');
  reply.setCookie(name, who, { ...options, httpOnly: false, maxAge });
  if (who === 'administrateur') reply.header('clear-site-data', '"storage"');
}
