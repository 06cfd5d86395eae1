import { Counter, Gauge } from 'prom-client';

/** Counters of this process since its start. `examMetrics` adds them to the registry of /metrics. */

export const batchesReceived = new Counter({
  name: 'prepa_exam_batches_total',
  help: 'Batches of answers in mock exams that were taken, repeated ones included',
  registers: [],
});

export const lastBatch = new Gauge({
  name: 'prepa_exam_last_batch_timestamp_seconds',
  help: 'When the last batch of answers in a mock exam was taken, in seconds since 1970; 0 before the first',
  aggregator: 'max',
  registers: [],
});

export const handIns = new Counter({
  name: 'prepa_exam_hand_ins_total',
  help: 'Copies of mock exams that were handed in',
  registers: [],
});
