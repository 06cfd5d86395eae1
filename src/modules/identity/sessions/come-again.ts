import type { FastifyReply, FastifyRequest } from 'fastify';
import { wantsHtml } from '../../../platform/http/negotiation.ts';
import { escapeHtml } from '../../../shared/escapes.ts';

/**
 * Returns whether a request follows a link from another site. The browser then withholds the session's cookie (SameSite=Strict), and
 * a signed-in administrator would be redirected to the sign-in.
 * The page reloads itself once; this second request comes from our own site and carries the cookie.
 */
export function comesFromElsewhere(request: FastifyRequest): boolean {
  const { 'sec-fetch-site': site, referer = '' } = request.headers;
  // The page reloads itself only once: after the reload, its own address is the referrer.
  const origin = request.server.ownOrigin(request) ?? request.server.siteOrigin(request);
  const isOwn = URL.canParse(referer) && new URL(referer).origin === origin;
  return request.method === 'GET' && site === 'cross-site' && !isOwn && wantsHtml(request);
}

export function sendAgain(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const address = escapeHtml(request.url);
  return reply
    .type('text/html; charset=utf-8')
    .send(
      `<!DOCTYPE html><html lang="fr"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Administration</title><meta name="robots" content="noindex"><meta http-equiv="refresh" content="0;url=${address}"></head><body><p><a href="${address}">Continuer vers l'administration</a></p></body></html>`,
    );
}
