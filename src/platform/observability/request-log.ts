import fp from 'fastify-plugin';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** No line in the log for a good answer (health checks, assets). */
    quiet?: boolean;
  }
}

/** One line a request that was not refused for the load, with its id, which the answer carries too and error pages show. */
export const requestLog = fp(
  async (app) => {
    // Method, path, status and time hold no secret: looking for one in every line would cost as much as writing it.
    const lines = app.log.child({}, { redact: [] });
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
        },
        'request',
      );
    });
  },
  { name: 'request-log' },
);
