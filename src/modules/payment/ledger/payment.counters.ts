import { Counter } from 'prom-client';

/** Counters of this process since its start. `paymentMetrics` adds them to the registry of /metrics. */

export const notificationsReceived = new Counter({
  name: 'prepa_payment_notifications_total',
  help: 'Notifications of payment providers, by what they were',
  labelNames: ['provider', 'outcome'] as const,
  registers: [],
});

export const verifications = new Counter({
  name: 'prepa_payment_verifications_total',
  help: 'Questions to payment providers, by what they answered',
  labelNames: ['provider', 'answer'] as const,
  registers: [],
});

export const transitions = new Counter({
  name: 'prepa_payment_transitions_total',
  help: 'Changes of state of payments',
  labelNames: ['provider', 'to'] as const,
  registers: [],
});
