import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { networkOf } from '../limits/network.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Successful requests (health checks, assets) are logged at level debug only. */
    quiet?: boolean;
  }
  interface FastifyInstance {
    /** Sets the function that returns the caller's ids, for log lines of refused requests. */
    nameCaller(name: (request: FastifyRequest) => object): void;
    setLogLevel(level: string): void;
  }
  interface FastifyRequest {
    /** Refused before any work was done for it. */
    shed: boolean;
  }
}

/** Statuses that are logged with the caller: not signed in, forbidden, too many requests. */
const refusals = new Set([401, 403, 429]);

/** Levels that also show quiet requests. */
const fine = new Set(['debug', 'trace']);

/** Logs one line per request, except those refused under overload. The request id is also in the response header and on error pages. */
export const requestLog = fp(
  async (app) => {
    // Redaction is off: method, path, status and time contain no secrets, and searching would cost as much as writing.
    const lines = app.log.child({}, { redact: [] });
    let callerOf: (request: FastifyRequest) => object = () => ({});
    app.decorate('nameCaller', (name) => {
      callerOf = name;
    });
    // A child logger keeps the level that its parent had when it was created.
    app.decorate('setLogLevel', (level) => {
      for (const log of [app.log, lines]) log.level = level;
    });
    app.decorateRequest('shed', false);
    app.addHook('onRequest', (request, reply, done) => {
      reply.header('x-request-id', request.id);
      done();
    });
    app.addHook('onResponse', (request, reply, done) => {
      done();
      const isQuiet = request.shed || (request.routeOptions.config.quiet && reply.statusCode < 400);
      if (isQuiet && !fine.has(lines.level)) return;
      lines[isQuiet ? 'debug' : 'info'](
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
