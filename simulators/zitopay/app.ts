import formbody from '@fastify/formbody';
import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify';
import { verificationRoutes } from './api_v1.routes.ts';
import { assetRoutes } from './assets.routes.ts';
import { checkoutRoutes } from './checkout.routes.ts';
import { controlRoutes } from './control.routes.ts';
import { createDecisions } from './decisions.ts';
import { createKnobBoard } from './knobs.ts';
import { openLedger } from './ledger.ts';
import { createNotifier } from './notifications.ts';
import { createTransactions } from './transactions.ts';

export interface SimulatorOptions {
  /** Epoch ms; the machine's clock by default. */
  clock?: () => number;
  /** JSON lines of what was decided; in memory without it. */
  ledgerFile?: string;
  /** Fastify's own logger option; silent by default. */
  log?: FastifyServerOptions['logger'];
  /** 100,000 by default. */
  maxTransactions?: number;
  /** ms; 5,000 by default. */
  notificationTimeoutMs?: number;
}

/** The simulator, ready to listen; it never listens by itself. Throws when the ledger file cannot be read or written. */
export function buildSimulator(options: SimulatorOptions = {}): FastifyInstance {
  const { clock = Date.now, ledgerFile, log = false, maxTransactions = 100_000, notificationTimeoutMs = 5_000 } = options;
  const app = Fastify({
    logger: log,
    bodyLimit: 64 * 1024,
    requestTimeout: 15_000,
    // A verification that hangs must not hold the closing back.
    forceCloseConnections: true,
  });
  app.server.maxConnections = 1_000;

  const ledger = openLedger(ledgerFile, (line) => app.log.warn({ ledgerFile, line }, 'unreadable ledger line left out'));
  const knobs = createKnobBoard(maxTransactions);
  const transactions = createTransactions(ledger, maxTransactions);
  const notifier = createNotifier(notificationTimeoutMs);
  const decisions = createDecisions({ transactions, knobs, notifier, clock, log: app.log });
  // A planned approval or a merchant that hangs must not outlive the server.
  app.addHook('preClose', async () => decisions.cancelAll());

  app.register(formbody, { bodyLimit: 64 * 1024 });
  app.register(assetRoutes);
  app.register(checkoutRoutes, { transactions, decisions, knobs });
  app.register(verificationRoutes, { transactions, decisions, knobs });
  app.register(controlRoutes, { prefix: '/control', transactions, decisions, knobs, ledger });
  return app;
}
