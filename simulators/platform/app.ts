import formbody from '@fastify/formbody';
import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify';

export interface SimulatorOptions {
  /** Returns epoch ms; the system clock by default. */
  clock?: () => number;
  /** Factor by which the simulated time runs faster than `clock`; 1 by default. */
  speed?: number;
  /** Path of a JSON lines file for the decisions; without it they are kept in memory. */
  ledgerFile?: string;
  /** Fastify's own logger option; silent by default. */
  log?: FastifyServerOptions['logger'];
  /** Maximum number of payments; 100,000 by default. */
  maxTransactions?: number;
  /** Timeout of a notification, in ms; 5,000 by default. */
  notificationTimeoutMs?: number;
}

/** Creates the Fastify app of a simulator: limited bodies, form parsing, and closing without waiting for open connections. */
export function createApp({ log = false }: SimulatorOptions): FastifyInstance {
  const app = Fastify({
    logger: log,
    bodyLimit: 64 * 1024,
    requestTimeout: 15_000,
    // A hanging verification must not delay closing.
    forceCloseConnections: true,
    exposeHeadRoutes: false,
  });
  app.server.maxConnections = 1_000;
  app.register(formbody, { bodyLimit: 64 * 1024 });
  return app;
}
