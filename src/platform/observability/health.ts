import type { MikroORM } from '@mikro-orm/postgresql';
import type { FastifyPluginAsync } from 'fastify';
import { migrationStatus } from '../database/migration-status.ts';

/** `/healthz`: the process answers. `/readyz`: the database answers and no migration is missing. */
export const health: FastifyPluginAsync<{ orm: MikroORM }> = async (app, { orm }) => {
  const config = { quiet: true, anonymous: true } as const;
  app.get('/healthz', { config }, async (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }));

  app.get('/readyz', { config }, async (request, reply) => {
    reply.header('cache-control', 'no-store');
    try {
      const { pending } = await migrationStatus(orm);
      if (pending.length === 0) return reply.send({ status: 'ok' });
      return reply.code(503).send({ status: 'unavailable', message: `${pending.length} migration(s) à appliquer` });
    } catch (error) {
      request.log.warn({ err: error }, 'not ready');
      return reply.code(503).send({ status: 'unavailable', message: 'Base de données injoignable' });
    }
  });
};
