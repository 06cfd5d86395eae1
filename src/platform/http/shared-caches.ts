import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The response is the same for everybody: the session is neither looked up nor prolonged. */
    anonymous?: boolean;
  }
}

/**
 * Checks responses that shared caches may keep, since these caches serve them to other people. A response with a cookie must be `private`
 * or `no-store`, and a `public` response must come from a route without session look-up (`anonymous`). A violation is a bug of the route:
 * outside production the request fails, in production the response is made private and an error is logged.
 */
export const sharedCaches = fp<{ strict: boolean }>(
  async (app, { strict }) => {
    // Must run after @fastify/cookie's hook, which writes the Set-Cookie header.
    app.addHook('onSend', (request, reply, payload, done) => {
      const fault = faultOf(request, reply);
      if (fault === null) return done(null, payload);
      if (strict) return done(new Error(`${request.method} ${request.routeOptions.url}: ${fault}`));
      request.log.error({ route: request.routeOptions.url }, fault);
      reply.header('cache-control', 'private, no-store');
      done(null, payload);
    });
  },
  { name: 'shared-caches', dependencies: ['@fastify/cookie'] },
);

function faultOf(request: FastifyRequest, reply: FastifyReply): string | null {
  const control = String(reply.getHeader('cache-control') ?? '');
  if (/\b(private|no-store)\b/.test(control)) return null;
  if (reply.hasHeader('set-cookie')) return 'a shared cache would keep a cookie';
  if (/\b(public|s-maxage)\b/.test(control) && !request.routeOptions.config.anonymous) return 'a session was looked up for a public answer';
  return null;
}
