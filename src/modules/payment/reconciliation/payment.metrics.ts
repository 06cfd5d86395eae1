import { Gauge, type Metric } from 'prom-client';
import type { ModuleKernel } from '../../../platform/use-cases/kernel-access.ts';
import type { ProviderHealth } from '../contract/provider.ts';
import { notificationsReceived, transitions, verifications } from '../ledger/payment.counters.ts';
import type { PaymentProviders } from '../providers/provider.registry.ts';
import { healthCounts, type PaymentHealth, paymentHealth } from './alerts.ts';
import { lastPassAt } from './pass.repository.ts';

const breakerStates: readonly ProviderHealth['breaker'][] = ['closed', 'half-open', 'open'];

/** Returns the payment metrics. Counts of the database are read when the metrics are read, once for all of them. */
export function paymentMetrics({ fork, context }: ModuleKernel, providers: PaymentProviders): Metric[] {
  let reading: Promise<PaymentHealth> | null = null;
  const read = () => {
    reading ??= paymentHealth(fork(), context.clock.now()).finally(() => {
      reading = null;
    });
    return reading;
  };
  const counted = (Object.keys(healthCounts) as (keyof PaymentHealth)[]).map(
    (key) =>
      new Gauge({
        name: `prepa_payments_${snakeCase(key)}`,
        help: healthCounts[key],
        // Read from the database, so all processes report the same value.
        aggregator: 'max',
        registers: [],
        async collect() {
          // If the database fails, the other metrics stay readable, above all the breaker's.
          const found = await read().catch(() => null);
          if (found) this.set(found[key]);
          else this.remove();
        },
      }),
  );
  const breaker = new Gauge({
    name: 'prepa_payment_provider_breaker',
    help: 'State of the circuit breaker: 0 closed, 1 half-open, 2 open',
    labelNames: ['provider'] as const,
    aggregator: 'max',
    registers: [],
    collect() {
      for (const { slug, breaker: state } of providers.health()) this.set({ provider: slug }, breakerStates.indexOf(state));
    },
  });
  const lastPass = new Gauge({
    name: 'prepa_payments_last_pass_seconds',
    help: 'Seconds since a reconciliation last came to its end, in any process',
    aggregator: 'max',
    registers: [],
    async collect() {
      const at = await lastPassAt(fork()).catch(() => null);
      if (at) this.set(Math.round((context.clock.now().getTime() - at.getTime()) / 1000));
      else this.remove();
    },
  });
  return [breaker, ...counted, lastPass, notificationsReceived, verifications, transitions] as Metric[];
}

const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
