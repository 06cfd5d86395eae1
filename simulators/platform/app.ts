import formbody from '@fastify/formbody';
import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify';

export interface SimulatorOptions {
  /** Epoch ms; the machine's clock by default. */
  clock?: () => number;
  /** How many times faster than `clock` the simulator's time runs; 1 by default. */
  speed?: number;
  /** JSON lines of what was decided; in memory without it. */
  ledgerFile?: string;
  /** Fastify's own logger option; silent by default. */
  log?: FastifyServerOptions['logger'];
  /** 100,000 by default. */
  maxTransactions?: number;
  /** ms; 5,000 by default. */
  notificationTimeoutMs?: number;
}

/** What every provider's simulator stands on: bounded bodies, forms, and a closing that nobody holds back. */
export function createApp({ log = false }: SimulatorOptions): FastifyInstance {
  const app = Fastify({
    logger: log,
    bodyLimit: 64 * 1024,
    requestTimeout: 15_000,
    // A verification that hangs must not hold the closing back.
    forceCloseConnections: true,
    exposeHeadRoutes: false,
  });
  app.server.maxConnections = 1_000;
  app.register(formbody, { bodyLimit: 64 * 1024 });
  return app;
}
