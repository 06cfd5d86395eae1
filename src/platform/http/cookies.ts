import type { FastifyRequest } from 'fastify';

/** A cookie's path; what no script reads, and no other site's form sends. */
const options = (request: FastifyRequest, path: string) =>
  ({ path, httpOnly: true, sameSite: 'lax', secure: request.server.siteOrigin(request).startsWith('https:') }) as const;

/**
 * A cookie of ours as this request's site has it. Over TLS browsers take `__Host-…` (of the whole site) and `__Secure-…` (of some pages) only from a page over TLS,
 * the first for this host alone: no neighbouring host and no connection in the clear can plant one.
 */
export function ownCookie(request: FastifyRequest, name: string, path = '/') {
  const cookie = options(request, path);
  const prefix = path === '/' ? '__Host-' : '__Secure-';
  return { name: cookie.secure ? prefix + name : name, options: cookie };
}
