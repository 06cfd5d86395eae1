import type { Counter } from 'prom-client';
import { counted } from './counted.ts';
import { alertsLogged } from './log.ts';

/**
 * Returns the counter of logged alerts. Every kind is exported from the start: Prometheus sees no increase in a series that begins at 1.
 */
export const alertsTotal = (): Counter<'alert'> =>
  counted('prepa_log_alerts_total', 'Lines of the log that say that a person must look, by their kind', 'alert', alertsLogged);
