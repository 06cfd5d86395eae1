import type { MikroORM } from '@mikro-orm/postgresql';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { migrationStatus } from '../database/migration-status.ts';
import { refuseReadOnly } from '../database/read-only.ts';
import { within } from '../work/within.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** From now on /readyz refuses, so that whoever shares out requests sends none any more, while those that come are still answered. */
    beginDraining(): void;
  }
}

/**
 * What /readyz waits for the database, in ms: a pool whose connections are all held, or lost, keeps it waiting like any request, and a balancer that hears nothing
 * for longer would not know why.
 */
const readyWithinMs = 3_000;

/** `/healthz`: the process answers. `/readyz`: the database answers, takes changes and misses no migration, and nobody has told the process to go. */
export const health = fp<{ orm: MikroORM }>(
  async (app: FastifyInstance, { orm }) => {
    const config = { quiet: true, anonymous: true, load: 'essential' } as const;
    let isDraining = false;
    app.decorate('beginDraining', () => {
      isDraining = true;
      // A proxy gives up its kept connections with their next answers, and not at the moment at which a request is on its way.
      app.server.prependListener('request', (_request, response) => response.setHeader('connection', 'close'));
    });

    app.get('/healthz', { config }, async (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }));

    app.get('/readyz', { config }, async (request, reply) => {
      reply.header('cache-control', 'no-store');
      const message = isDraining ? 'Arrêt en cours' : await within(databaseFault(orm, request), readyWithinMs, () => unreachable);
      // A balancer that took all servers out would show its own words in place of the house's.
      const ready = { status: 'ok', ...(app.maintenance() && { maintenance: true }) };
      return message === null ? reply.send(ready) : reply.code(503).send({ status: 'unavailable', message });
    });
  },
  { name: 'health', dependencies: ['maintenance'] },
);

const unreachable = 'Base de données injoignable';

/** Why requests cannot be served, or null. Nothing of the inside is said. */
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
