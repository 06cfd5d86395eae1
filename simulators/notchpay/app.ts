import type { FastifyInstance } from 'fastify';
import { createAgenda } from '../platform/agenda.ts';
import { createApp, type SimulatorOptions } from '../platform/app.ts';
import { createSimulatedClock } from '../platform/clock.ts';
import { createCourier } from '../platform/delivery.ts';
import { createKnobBoard } from '../platform/knob-board.ts';
import { openLedger } from '../platform/ledger.ts';
import { stylesheetRoute } from '../platform/pages.ts';
import { checkoutRoutes } from './checkout.routes.ts';
import { controlRoutes } from './control.routes.ts';
import { DEFAULTS } from './knobs.ts';
import { entrySchema } from './ledger.ts';
import { createLifecycle } from './lifecycle.ts';
import { paymentRoutes } from './payments.routes.ts';
import { createPayments } from './payments.ts';
import { refundRoutes } from './refunds.routes.ts';
import { createWebhooks } from './webhooks.ts';

export interface NotchpayOptions extends SimulatorOptions {
  /** `pk_test_sim` by default. A request with another key gets a 401. */
  publicKey?: string;
  /** `sk_test_sim` by default. Refunds need it besides the public key. */
  privateKey?: string;
  /** The key that signs webhooks; `hsk_test_sim` by default. */
  hashKey?: string;
  /** The initial address of webhooks, or null to send none (default). */
  webhookUrl?: string | null;
  /** Whether amounts and references choose scenarios. Off by default, so that tests can use any amount. */
  scenarios?: boolean;
}

/** Returns the simulator, not listening yet. Throws when the ledger file cannot be read or written. */
export function buildNotchpay(options: NotchpayOptions = {}): FastifyInstance {
  const { ledgerFile, maxTransactions = 100_000, notificationTimeoutMs = 5_000 } = options;
  const { publicKey = 'pk_test_sim', privateKey = 'sk_test_sim', hashKey = 'hsk_test_sim', webhookUrl = null, scenarios = false } = options;
  const app = createApp(options);
  const ledger = openLedger(entrySchema, ledgerFile, (line) => app.log.warn({ ledgerFile, line }, 'unreadable ledger line left out'));
  const clock = createSimulatedClock(options.clock ?? Date.now, options.speed);
  const agenda = createAgenda(clock, (error) => app.log.error(error, 'planned event'));
  const knobs = createKnobBoard(DEFAULTS, maxTransactions);
  const payments = createPayments(ledger, maxTransactions);
  const webhooks = createWebhooks({ courier: createCourier(notificationTimeoutMs), knobs, clock, agenda, hashKey, url: webhookUrl });
  const lifecycle = createLifecycle({ payments, knobs, webhooks, clock, agenda });
  // Planned tasks and hanging webhooks must not outlive the server.
  app.addHook('preClose', async () => {
    agenda.clear();
    webhooks.cancel();
  });

  app.register(stylesheetRoute);
  app.register(paymentRoutes, { payments, lifecycle, knobs, clock, publicKey, scenarios });
  app.register(refundRoutes, { payments, lifecycle, publicKey, privateKey });
  app.register(checkoutRoutes, { payments, lifecycle, knobs });
  app.register(controlRoutes, { prefix: '/control', payments, lifecycle, webhooks, knobs, ledger, clock, agenda, webhookUrl });
  return app;
}
