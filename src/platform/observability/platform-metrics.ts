import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { Gauge, type Metric } from 'prom-client';
import { limitRefusals } from '../limits/refusals.ts';
import { alertsTotal } from './alerts-total.ts';
import { counted } from './counted.ts';
import { lastRuns } from './task-runs.ts';

export interface PlatformParts {
  orm: MikroORM;
  fork(): EntityManager;
}

/** Returns the metrics of the platform: connections, limits, log alerts, and the last runs of timer tasks. */
export async function platformMetrics({ orm, fork }: PlatformParts): Promise<Metric[]> {
  const pool = await orm.em.getConnection().getNativeClient();
  const connections = (name: string, help: string, read: () => number) =>
    new Gauge({
      name: `prepa_database_pool_${name}`,
      help,
      registers: [],
      collect() {
        this.set(read());
      },
    });
  return [
    new Gauge({ name: 'prepa_web_processes', help: 'Processes that serve the site on this machine', registers: [], collect: setOne }),
    connections('connections', 'Connections to the database that are open', () => pool.totalCount),
    connections('idle', 'Connections to the database that nobody uses', () => pool.idleCount),
    connections('max', 'Connections to the database at most', () => pool.options.max ?? 0),
    connections('waiting', 'Statements that wait for a connection', () => pool.waitingCount),
    counted('prepa_limit_refusals_total', 'Requests that a limit has refused, by the limit', 'limit', limitRefusals),
    alertsTotal(),
    new Gauge({
      name: 'prepa_task_last_run_timestamp_seconds',
      help: 'When a task of the timers last came to its end, in whichever process, in seconds since 1970',
      labelNames: ['task'] as const,
      // Read from the database, so all processes report the same value.
      aggregator: 'max',
      registers: [],
      async collect() {
        const runs = await lastRuns(fork()).catch(() => null);
        this.reset();
        for (const [task, at] of Object.entries(runs ?? {})) this.set({ task }, at.getTime() / 1000);
      },
    }),
  ] as Metric[];
}

function setOne(this: Gauge): void {
  this.set(1);
}
