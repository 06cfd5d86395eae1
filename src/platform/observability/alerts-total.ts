import type { Counter } from 'prom-client';
import { counted } from './counted.ts';
import { alertsLogged } from './log.ts';

/** The alerts that this process has logged. Each kind is there from the start: to Prometheus a figure that begins at 1 has not increased. */
export const alertsTotal = (): Counter<'alert'> =>
  counted('prepa_log_alerts_total', 'Lines of the log that say that a person must look, by their kind', 'alert', alertsLogged);
