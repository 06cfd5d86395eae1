import type { MikroORM } from '@mikro-orm/postgresql';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { migrationStatus } from '../database/migration-status.ts';
import { refuseReadOnly } from '../database/read-only.ts';
import { within } from '../work/within.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Makes /readyz fail, so that load balancers send no new requests, while requests that still arrive are served. */
    beginDraining(): void;
  }
}

/**
 * Timeout of /readyz for the database, in ms. If all connections of the pool are busy or lost, /readyz waits like any request; a load
 * balancer with a shorter timeout would then not see the reason.
 */
const readyWithinMs = 3_000;

/**
 * Serves `/healthz`: the process runs; and `/readyz`: the database is reachable, writable and fully migrated, and the process is not
 * draining.
 */
export const health = fp<{ orm: MikroORM }>(
  async (app: FastifyInstance, { orm }) => {
    const config = { quiet: true, anonymous: true, load: 'essential' } as const;
    let isDraining = false;
    app.decorate('beginDraining', () => {
      isDraining = true;
      // Closes kept connections with their next response, so that a proxy never loses a request that it is just sending.
      app.server.prependListener('request', (_request, response) => response.setHeader('connection', 'close'));
    });

    app.get('/healthz', { config }, async (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }));

    app.get('/readyz', { config }, async (request, reply) => {
      reply.header('cache-control', 'no-store');
      const message = isDraining ? 'Arrêt en cours' : await within(databaseFault(orm, request), readyWithinMs, () => unreachable);
      // 200 during maintenance: if every server failed its health check, visitors would get the load balancer's error page instead of ours.
      const ready = { status: 'ok', ...(app.maintenance() && { maintenance: true }) };
      return message === null ? reply.send(ready) : reply.code(503).send({ status: 'unavailable', message });
    });
  },
  { name: 'health', dependencies: ['maintenance'] },
);

const unreachable = 'Base de données injoignable';

/** Returns why requests cannot be served, without internal details; null if they can. */
async function databaseFault(orm: MikroORM, request: FastifyRequest): Promise<string | null> {
  try {
    const { pending } = await migrationStatus(orm);
    if (pending.length > 0) return `${pending.length} migration(s) à appliquer`;
    await refuseReadOnly(orm);
    return null;
  } catch (error) {
    request.log.warn({ err: error }, 'not ready');
    return (error as { code?: unknown }).code === '25006' ? 'Base de données en lecture seule' : unreachable;
  }
}
