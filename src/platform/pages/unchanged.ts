import type { FastifyReply } from 'fastify';

/**
 * What a 304 says again (RFC 9110, 15.4.5); a cookie is no part of the page, and goes along. All else, the security headers too, stays as it came with the page
 * that the browser has kept.
 */
const repeated = new Set(['etag', 'cache-control', 'vary', 'set-cookie']);

/** Turns a reply into a 304, without the headers that must not be repeated. */
export function unchanged(reply: FastifyReply): FastifyReply {
  for (const name of Object.keys(reply.getHeaders())) if (!repeated.has(name)) reply.removeHeader(name);
  return reply.code(304);
}
