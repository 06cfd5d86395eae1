import type { FastifyReply } from 'fastify';

/**
 * Headers repeated in a 304 (RFC 9110, 15.4.5), and cookies, which are not part of the page. For all others, including the security
 * headers, the browser uses those that it stored with the page.
 */
const repeated = new Set(['etag', 'cache-control', 'vary', 'set-cookie']);

/** Turns a reply into a 304, without the headers that must not be repeated. */
export function unchanged(reply: FastifyReply): FastifyReply {
  for (const name of Object.keys(reply.getHeaders())) if (!repeated.has(name)) reply.removeHeader(name);
  return reply.code(304);
}
