import { setTimeout as wait } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { UseCaseContext } from '../../../platform/use-cases/events.ts';
import type { PaymentProviders } from '../providers/provider.registry.ts';
import { createAlerts } from './alerts.ts';
import { type ReconcileCounts, reconcilePayments } from './reconcile.service.ts';

/** Maximum number of payments checked in one pass; the others stay due for the next pass. */
const perPass = 500;

interface LoopOptions {
  /** Wait between the end of one pass and the start of the next, in ms. */
  everyMs: number;
  /** Ends the loop after the current pass. */
  signal: AbortSignal;
  /** Called after each pass. */
  onPass?: (counts: ReconcileCounts) => void;
}

/**
 * Runs reconciliation repeatedly until it is stopped, for `prepa payments reconcile --watch` and for a web process with that setting.
 * Any number of loops may run on any number of machines. A failed pass (such as during a database restart) is logged, and the next
 * one tries again.
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
