import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Nobody is looked up, and nobody's session is made longer: the answer is the same for all. */
    anonymous?: boolean;
  }
}

/**
 * What a shared cache may keep is handed to strangers. So a cookie goes only with what no such cache keeps (`private` or `no-store`), and an answer
 * for everybody (`public`) comes only from a route that looks nobody up. An answer that breaks this is a fault of its route: outside production
 * it fails, in production it goes out for its caller alone, and the log says so.
 */
export const sharedCaches = fp<{ strict: boolean }>(
  async (app, { strict }) => {
    // After the one of the cookies, which writes the header.
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
