import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { networkOf } from '../limits/network.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** No line in the log for a good answer (health checks, assets), but at the level debug. */
    quiet?: boolean;
  }
  interface FastifyInstance {
    /** Says by ids whose request it is, for the line of one that is refused. */
    nameCaller(name: (request: FastifyRequest) => object): void;
    /** From now on lines from this level on are written. */
    setLogLevel(level: string): void;
  }
  interface FastifyRequest {
    /** Refused before anything was asked or read for it. */
    shed: boolean;
  }
}

/** Refusals that somebody may have to look into: not signed in, not allowed, too often. */
const refusals = new Set([401, 403, 429]);

/** Levels that show all. */
const fine = new Set(['debug', 'trace']);

/** One line a request that was not refused for the load, with its id, which the answer carries too and error pages show. */
export const requestLog = fp(
  async (app) => {
    // Method, path, status and time hold no secret: looking for one in every line would cost as much as writing it.
    const lines = app.log.child({}, { redact: [] });
    let callerOf: (request: FastifyRequest) => object = () => ({});
    app.decorate('nameCaller', (name) => {
      callerOf = name;
    });
    // A logger keeps the level that the one above it had when it was made.
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
