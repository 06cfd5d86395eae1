import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue, Registry } from 'prom-client';
import { askFirst, hearFirst } from '../processes/first-process.ts';
import type { Answers } from '../processes/messages.ts';
import { alertsTotal } from './alerts-total.ts';

/** Time limit for collecting the metrics of all processes, in ms. */
const withinMs = 4_000;

type Metrics = MetricObjectWithValues<MetricValue<string>>[];

interface Collection {
  missing: number;
  received: Metrics[];
  whole: (metrics: Metrics[]) => void;
}

/**
 * Returns the first process's answers about metrics: those of all serving processes and its own alerts, merged. Counters are added; gauges
 * are merged by their `aggregator`.
 * @param tell sends a message to each serving process and returns their number
 */
export function sharedMetrics(tell: (about: string, news: unknown) => number): Answers {
  const collections = new Map<number, Collection>();
  let number = 0;
  const own = new Registry();
  own.registerMetric(alertsTotal());
  return {
    metrics: async () => {
      number += 1;
      const mine = number;
      let timer: NodeJS.Timeout | undefined;
      try {
        const received = await new Promise<Metrics[]>((resolve, reject) => {
          // All must reply: if one is missing, Prometheus takes the lower sums for a restart of every counter.
          timer = setTimeout(() => reject(new Error('not every process has told its metrics')), withinMs);
          const collection: Collection = { missing: 0, received: [], whole: resolve };
          collections.set(mine, collection);
          collection.missing = tell('metrics', mine);
        });
        return await AggregatorRegistry.aggregate([...received, await own.getMetricsAsJSON()]).metrics();
      } finally {
        clearTimeout(timer);
        collections.delete(mine);
      }
    },
    'metrics-of': ({ number, metrics }: { number: number; metrics: Metrics }) => {
      const collection = collections.get(number);
      collection?.received.push(metrics);
      if (collection?.received.length === collection?.missing) collection?.whole(collection.received);
    },
  };
}

/** Sends this process's metrics whenever the first process asks. @returns a function that returns the metrics of all processes */
export function shareMetrics(registry: Registry): () => Promise<string> {
  hearFirst<number>('metrics', async (number) => {
    await askFirst('metrics-of', { number, metrics: await registry.getMetricsAsJSON() }).catch(() => {});
  });
  return () => askFirst<string>('metrics', null, withinMs + 1_000);
}
