import type { FastifyInstance, FastifyPluginAsync } from 'fastify';

/** Calls are served under /api, the canonical prefix, and at the root, as in the specification's tables. */
const prefixes = ['/api', ''];

export async function registerCalls<Options extends object>(
  app: FastifyInstance,
  calls: FastifyPluginAsync<Options>,
  options: Options,
): Promise<void> {
  for (const prefix of prefixes) await app.register(calls, { ...options, prefix });
}
