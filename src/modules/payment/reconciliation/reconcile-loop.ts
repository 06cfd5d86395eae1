import { setTimeout as wait } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { UseCaseContext } from '../../../platform/use-cases/events.ts';
import type { PaymentProviders } from '../providers/provider.registry.ts';
import { createAlerts } from './alerts.ts';
import { type ReconcileCounts, reconcilePayments } from './reconcile.service.ts';

/** Payments checked in one pass, at most: what is left is due in the next one. */
const perPass = 500;

interface LoopOptions {
  /** Between the end of one pass and the start of the next, in ms. */
  everyMs: number;
  /** Ends the loop, after the pass under way. */
  signal: AbortSignal;
  /** Called after each pass. */
  onPass?: (counts: ReconcileCounts) => void;
}

/**
 * Reconciles again and again until it is told to stop, for `prepa payments reconcile --watch` and for a web process that was told to. Any number
 * of them may run on any number of machines. A pass that fails (the database restarts) is logged, and the next one tries again.
 */
export async function watchPayments(
  fork: () => EntityManager,
  context: UseCaseContext,
  providers: PaymentProviders,
  { everyMs, signal, onPass }: LoopOptions,
): Promise<void> {
  const alerts = createAlerts();
  while (!signal.aborted) {
    try {
      const counts = await reconcilePayments(fork(), context, providers, { limit: perPass, signal });
      await alerts.look(fork(), context);
      onPass?.(counts);
    } catch (error) {
      context.log.error({ alert: 'reconciliation', err: error }, 'payments could not be reconciled');
    }
    await wait(everyMs, undefined, { signal }).catch(() => undefined);
  }
}
