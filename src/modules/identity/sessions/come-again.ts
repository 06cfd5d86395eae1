import type { FastifyReply, FastifyRequest } from 'fastify';
import { wantsHtml } from '../../../platform/http/negotiation.ts';
import { escapeHtml } from '../../../shared/escapes.ts';

/**
 * A link of another site to a page of the administration: the browser keeps the session's cookie back (SameSite=Strict), and whoever is signed in would be sent to
 * the sign-in. The page asks for itself once more, and this time the request begins on our site.
 */
export function comesFromElsewhere(request: FastifyRequest): boolean {
  const { 'sec-fetch-site': site, referer = '' } = request.headers;
  // Once: then the referrer is this page.
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
