import fp from 'fastify-plugin';
import { Counter, Gauge } from 'prom-client';
import type { ReadOutcome, Replicas } from '../database/replicas/replicas.ts';

const outcomes: ReadOutcome[] = ['replica', 'older', 'failed', 'none'];

/** Starts polling the read replicas with the site, and adds their metrics to `/metrics`. */
export const replicaReads = fp<{ replicas: Replicas }>(
  async (app, { replicas }) => {
    app.addHook('onReady', async () => {
      app.exposeMetrics(...metricsOf(replicas));
      await replicas.start();
    });
    // Runs before the administrator sees the response: their next request for a public page may read from a replica.
    app.addHook('onSend', async ({ method, routeOptions }) => {
      if (routeOptions.config.audience === 'administrator' && method !== 'GET' && method !== 'HEAD') replicas.mustHaveAllOfNow();
    });
  },
  { name: 'replica-reads' },
);

const metricsOf = (replicas: Replicas) => [
  new Gauge({
    name: 'prepa_database_replica_up',
    help: 'Whether a read replica is read (1) or left out (0)',
    labelNames: ['replica'],
    registers: [],
    collect() {
      for (const { name, fault } of replicas.state()) this.set({ replica: name }, fault === null ? 1 : 0);
    },
  }),
  new Gauge({
    name: 'prepa_database_replica_lag_seconds',
    help: 'How long ago a read replica is known to have had everything, at most; absent while it cannot be read',
    labelNames: ['replica'],
    registers: [],
    collect() {
      this.reset();
      for (const { name, lagMs } of replicas.state()) if (lagMs !== null) this.set({ replica: name }, lagMs / 1000);
    },
  }),
  new Counter({
    name: 'prepa_database_replica_reads_total',
    help: 'Reads that a replica may answer: by one (replica), and by the primary since it had an older version (older), failed (failed), or none could be read (none)',
    labelNames: ['outcome'],
    registers: [],
    collect() {
      this.reset();
      for (const outcome of outcomes) this.inc({ outcome }, replicas.reads[outcome]);
    },
  }),
];
