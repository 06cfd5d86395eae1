import type { FastifyInstance, FastifyPluginAsync } from 'fastify';

/** Where calls stand: under /api, which is canonical, and at the root, as the specification's tables also write them. */
const prefixes = ['/api', ''];

/** Registers calls at both of their addresses. */
export async function registerCalls<Options extends object>(
  app: FastifyInstance,
  calls: FastifyPluginAsync<Options>,
  options: Options,
): Promise<void> {
  for (const prefix of prefixes) await app.register(calls, { ...options, prefix });
}
