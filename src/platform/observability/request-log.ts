import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { networkOf } from '../limits/network.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** No line in the log for a good answer (health checks, assets). */
    quiet?: boolean;
  }
  interface FastifyInstance {
    /** Says by ids whose request it is, for the line of one that is refused. */
    nameCaller(name: (request: FastifyRequest) => object): void;
  }
}

/** Refusals that somebody may have to look into: not signed in, not allowed, too often. */
const refusals = new Set([401, 403, 429]);

/** One line a request that was not refused for the load, with its id, which the answer carries too and error pages show. */
export const requestLog = fp(
  async (app) => {
    // Method, path, status and time hold no secret: looking for one in every line would cost as much as writing it.
    const lines = app.log.child({}, { redact: [] });
    let callerOf: (request: FastifyRequest) => object = () => ({});
    app.decorate('nameCaller', (name) => {
      callerOf = name;
    });
    app.addHook('onRequest', async (request, reply) => {
      reply.header('x-request-id', request.id);
    });
    app.addHook('onResponse', async (request, reply) => {
      if (request.shed || (request.routeOptions.config.quiet && reply.statusCode < 400)) return;
      lines.info(
        {
          reqId: request.id,
          method: request.method,
          path: request.url.split('?', 1)[0],
          status: reply.statusCode,
          ms: Math.round(reply.elapsedTime * 10) / 10,
          ...(refusals.has(reply.statusCode) && { network: networkOf(request.ip), ...callerOf(request) }),
        },
        'request',
      );
    });
  },
  { name: 'request-log' },
);
