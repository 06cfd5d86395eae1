import type { FastifyRequest } from 'fastify';

/** Cookie options: not readable by scripts (httpOnly), and not sent with forms of other sites (SameSite). */
const options = (request: FastifyRequest, path: string) =>
  ({ path, httpOnly: true, sameSite: 'lax', secure: request.server.siteOrigin(request).startsWith('https:') }) as const;

/**
 * Returns name and options of a cookie for this request's site. Over HTTPS the name has the prefix `__Host-` (whole site) or `__Secure-`
 * (one path): browsers then accept the cookie over TLS only, and with `__Host-` from this host only, so that no other host of the domain
 * can set it.
 */
export function ownCookie(request: FastifyRequest, name: string, path = '/') {
  const cookie = options(request, path);
  const prefix = path === '/' ? '__Host-' : '__Secure-';
  return { name: cookie.secure ? prefix + name : name, options: cookie };
}
