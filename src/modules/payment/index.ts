import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { registerCalls } from '../../platform/http/calls.ts';
import { requestLimit } from '../../platform/limits/request-limit.ts';
import { place } from '../../platform/processes/first-process.ts';
import type { DomainEvents } from '../../platform/use-cases/events.ts';
import type { ModuleKernel } from '../../platform/use-cases/kernel-access.ts';
import { paymentRoutes } from './attempts/payment.routes.ts';
import { PaymentEvent } from './ledger/event.entity.ts';
import { subscribe as subscribeToLearners } from './ledger/learner.subscriptions.ts';
import { PaymentNotification } from './ledger/notification.entity.ts';
import { Payment } from './ledger/payment.entity.ts';
// Imported for its event declarations, which belong to the module's public interface.
import type {} from './ledger/payment.events.ts';
import { paymentPrunings } from './ledger/payment.prunings.ts';
import { subscribe as subscribeToPrepas } from './ledger/payment.subscriptions.ts';
import { providerNotificationRoutes } from './notifications/notification.routes.ts';
import { storageBounds } from './notifications/storage-bound.ts';
import type { PaymentProviders } from './providers/provider.registry.ts';
import { ReconciliationPass } from './reconciliation/pass.entity.ts';
import { paymentMetrics } from './reconciliation/payment.metrics.ts';
import { watchPayments } from './reconciliation/reconcile-loop.ts';
import { providerReturns } from './returns/return.pages.ts';
import { createBackgroundWork } from './settlement/background-work.ts';

export {
  type OpenAttempt,
  type OpenAttemptColumn,
  openAttemptSql,
  presentAttemptAt,
  presentOpenAttempt,
} from './attempts/open-attempts.ts';
export { paymentDialog, prepaGone } from './attempts/payment.presenter.ts';
export { refusalCause, refusalHelp } from './attempts/refusal.presenter.ts';
export type { Refusal } from './contract/refusal.ts';
export type { PaymentActor, PaymentEvent } from './ledger/event.entity.ts';
export type { PaymentNotification } from './ledger/notification.entity.ts';
export { Payment, type PaymentStatus, paymentStatuses } from './ledger/payment.entity.ts';
export { paymentNotFound } from './ledger/payment.errors.ts';
export { findOwnPayment, isCoveredByVerifiedPayment, type LatestPayment, latestPayment } from './ledger/payment.repository.ts';
export { paymentTotals } from './ledger/payment.totals.ts';
export { isOpen, isSettled, mayDecide, type SettlementStatus } from './ledger/state-machine.ts';
export { storableAnswer } from './ledger/storable-answer.ts';
export { paymentSettings, providerName, providerSlugs } from './providers/provider.definitions.ts';
export { type PaymentProviders, paymentProviders } from './providers/provider.registry.ts';
export {
  createAlerts,
  oldPendingAfter,
  overdueAfter,
  type PaymentHealth,
  paymentHealth,
  paymentHealthQuery,
  paymentsThatWait,
} from './reconciliation/alerts.ts';
export { lastPassAt } from './reconciliation/pass.repository.ts';
export { type ReconcileCounts, reconcilePayments } from './reconciliation/reconcile.service.ts';
export { watchPayments } from './reconciliation/reconcile-loop.ts';
export { decidePayment, maxReasonLength, type PaymentDecision } from './settlement/decision.service.ts';
export { type Settlement, settlePayment } from './settlement/settle.service.ts';
export { withinTimeout } from './settlement/timeout.ts';

/** The kernel with the payment providers. */
export type PaymentKernel = ModuleKernel & { providers: PaymentProviders };

/** Runs reconciliation in this server, from its start to its shutdown. */
function reconcileMeanwhile(app: FastifyInstance, kernel: ModuleKernel, providers: PaymentProviders): void {
  const closing = new AbortController();
  let loop: Promise<void> | undefined;
  app.addHook('onReady', async () => {
    const { everySeconds } = kernel.config.reconcile;
    loop = watchPayments(kernel.fork, kernel.context, providers, { everyMs: everySeconds * 1000, signal: closing.signal });
  });
  app.addHook('onClose', async () => {
    closing.abort();
    await loop;
  });
}

/** Requests per minute. Generous, since carriers put thousands of learners, and a provider all its notifications, behind one address. */
export const pointsPerMinute = { notifications: 6_000, returns: 600, learner: 300 } as const;

/** Verifications after a browser's return: how many run at once, and how many may wait. */
const returned = { concurrency: 8, waiting: 2_000 };
/** Verifications after notifications. Providers send hundreds at once and no learner waits for them, so learners' requests come first. */
const notified = { concurrency: 2, waiting: 10_000, yields: true };

/** Registers payments: starting and settling them, the providers' notifications, the browser's return. */
const plugin = fp<{ kernel: PaymentKernel }>(
  async (app, { kernel }) => {
    const { config, providers } = kernel;
    const background = createBackgroundWork(app.log, returned);
    const yielding = createBackgroundWork(app.log, notified);
    app.addHook('onClose', () => Promise.all([background.close(), yielding.close()]));

    const calls = { config, providers, limit: requestLimit('payment.calls', pointsPerMinute.learner) };
    const notifications = {
      kernel,
      providers,
      background: yielding,
      limit: requestLimit('payment.notifications', pointsPerMinute.notifications),
      bounds: storageBounds(),
    };
    await registerCalls(app, paymentRoutes, calls);
    await registerCalls(app, providerNotificationRoutes, notifications);
    await app.register(providerReturns, { kernel, providers, background, limit: requestLimit('payment.returns', pointsPerMinute.returns) });
    app.exposeMetrics(...paymentMetrics(kernel, providers));
    // One process per machine is enough.
    if (config.reconcile.inServer && place() === 0) reconcileMeanwhile(app, kernel, providers);
  },
  { name: 'payment', dependencies: ['identity', 'catalogue', 'kernel-access', 'metrics'] },
);

export const payment = {
  plugin,
  entities: [Payment, PaymentEvent, PaymentNotification, ReconciliationPass],
  prunings: paymentPrunings,
  subscribe(events: DomainEvents) {
    subscribeToPrepas(events);
    subscribeToLearners(events);
  },
};
