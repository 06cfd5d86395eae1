import type { FastifyInstance } from 'fastify';
import { createAgenda } from '../platform/agenda.ts';
import { createApp, type SimulatorOptions } from '../platform/app.ts';
import { createSimulatedClock } from '../platform/clock.ts';
import { createCourier } from '../platform/delivery.ts';
import { createKnobBoard } from '../platform/knob-board.ts';
import { openLedger } from '../platform/ledger.ts';
import { stylesheetRoute } from '../platform/pages.ts';
import { verificationRoutes } from './api_v1.routes.ts';
import { assetRoutes } from './assets.routes.ts';
import { checkoutRoutes } from './checkout.routes.ts';
import { controlRoutes } from './control.routes.ts';
import { createDecisions } from './decisions.ts';
import { DEFAULTS } from './knobs.ts';
import { entrySchema } from './ledger.ts';
import { createNotifier } from './notifications.ts';
import { createTransactions } from './transactions.ts';

export type { SimulatorOptions };

/** Returns the simulator, not listening yet. Throws when the ledger file cannot be read or written. */
export function buildSimulator(options: SimulatorOptions = {}): FastifyInstance {
  const { ledgerFile, maxTransactions = 100_000, notificationTimeoutMs = 5_000 } = options;
  const app = createApp(options);
  const ledger = openLedger(entrySchema, ledgerFile, (line) => app.log.warn({ ledgerFile, line }, 'unreadable ledger line left out'));
  const clock = createSimulatedClock(options.clock ?? Date.now, options.speed);
  const agenda = createAgenda(clock, (error) => app.log.error(error, 'planned approval'));
  const knobs = createKnobBoard(DEFAULTS, maxTransactions);
  const transactions = createTransactions(ledger, maxTransactions);
  const notifier = createNotifier(createCourier(notificationTimeoutMs));
  const decisions = createDecisions({ transactions, knobs, notifier, clock, agenda, log: app.log });
  // A planned approval or a hanging notification must not outlive the server.
  app.addHook('preClose', async () => decisions.cancelAll());

  app.register(stylesheetRoute);
  app.register(assetRoutes);
  app.register(checkoutRoutes, { transactions, decisions, knobs });
  app.register(verificationRoutes, { transactions, decisions, knobs });
  app.register(controlRoutes, { prefix: '/control', transactions, decisions, knobs, ledger, clock, agenda });
  return app;
}
