import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { requestLimit } from '../../platform/limits/request-limit.ts';
import type { ModuleKernel } from '../../platform/use-cases/kernel-access.ts';
import { createBackgroundWork } from './background-work.ts';
import { returnPages } from './payment.pages.ts';
import { paymentRoutes } from './payment.routes.ts';
import { paymentMetrics } from './payment-metrics.ts';
import { notificationRoutes } from './payment-notification.routes.ts';
import type { PaymentProviders } from './providers.ts';
import { watchPayments } from './reconcile-loop.ts';
import { allUnknownPointsPerHour, pointsPerMinute, unknownPointsPerHour, unsignedPointsPerHour } from './request-limits.ts';
import { storageBound } from './storage-bound.ts';

export { type OpenAttempt, presentOpenAttempt } from './open-attempts.ts';
export { withinPatience } from './patience.ts';
export { Payment, type PaymentStatus, paymentStatuses } from './payment.entity.ts';
export { paymentNotFound } from './payment.errors.ts';
export { presentPaymentDialog } from './payment.presenter.ts';
export { findOwnPayment, isCoveredByVerifiedPayment, type LatestPayment, latestPayment } from './payment.repository.ts';
export { subscribe } from './payment.subscriptions.ts';
export { createAlerts, type PaymentHealth, paymentHealth } from './payment-alerts.ts';
export { decidePayment, longestReason, type PaymentDecision, paymentDecisions } from './payment-decision.service.ts';
export { type PaymentActor, PaymentEvent } from './payment-event.entity.ts';
export { PaymentNotification } from './payment-notification.entity.ts';
export { type ReconcileCounts, reconcilePayments } from './payment-reconcile.service.ts';
export { type PaymentSearch, readSearch } from './payment-search.ts';
export { type Settlement, settlePayment } from './payment-settle.service.ts';
export { type StartedPayment, startPayment } from './payment-start.service.ts';
export {
  mostEvents,
  mostNotifications,
  type PaymentStory,
  type StoryEvent,
  type StoryNotification,
  showPayment,
} from './payment-story.repository.ts';
export { listPayments, type PaymentFilter, type PaymentSummary } from './payment-support.repository.ts';
export { type PaymentTotals, paymentTotals, type Total } from './payment-totals.repository.ts';
export type { PaymentProvider } from './provider.ts';
export { type PaymentProviders, paymentProviders, providersOf } from './providers.ts';
export { watchPayments } from './reconcile-loop.ts';
export { ReconciliationPass } from './reconciliation-pass.entity.ts';
export { lastPassAt } from './reconciliation-pass.repository.ts';
export { pointsPerMinute } from './request-limits.ts';
export { isOpen, isSettled, mayDecide, type SettlementStatus } from './state-machine.ts';

/** The server's own reconciliation, from when it is ready until it closes. */
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

/** Verifications that no answer waits for: how many at once, and how many may wait. */
const returned = { concurrency: 8, waiting: 2_000 };
/** Providers send hundreds at once, and nobody looks at an answer: learners who read come first. */
const notified = { concurrency: 2, waiting: 10_000, yields: true };

/** Payments: starting and settling them, the providers' notifications, the browser's return. */
export const payment = fp<{ kernel: ModuleKernel & { providers: PaymentProviders } }>(
  async (app, { kernel }) => {
    const { config, providers } = kernel;
    const background = createBackgroundWork(app.log, returned);
    const patient = createBackgroundWork(app.log, notified);
    app.addHook('onClose', () => Promise.all([background.close(), patient.close()]));

    const calls = { config, providers, limit: requestLimit(pointsPerMinute.learner) };
    const notifications = {
      kernel,
      providers,
      background: patient,
      limit: requestLimit(pointsPerMinute.notifications),
      bounds: {
        unknown: storageBound(unknownPointsPerHour),
        allUnknown: storageBound(allUnknownPointsPerHour),
        known: storageBound(unsignedPointsPerHour),
      },
    };
    // The specification's calls stand with and without /api.
    for (const prefix of ['/api', '']) {
      await app.register(paymentRoutes, { prefix, ...calls });
      await app.register(notificationRoutes, { prefix, ...notifications });
    }
    await app.register(returnPages, { kernel, providers, background, limit: requestLimit(pointsPerMinute.returns) });
    app.exposeMetrics(...paymentMetrics(kernel, providers));
    if (config.reconcile.inServer) reconcileMeanwhile(app, kernel, providers);
  },
  { name: 'payment', dependencies: ['identity', 'catalogue', 'kernel-access', 'metrics'] },
);
