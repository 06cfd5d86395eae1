import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue, Registry } from 'prom-client';
import { askFirst, hearFirst } from '../processes/first-process.ts';
import type { Answers } from '../processes/messages.ts';
import { alertsTotal } from './alerts-total.ts';

/** How long the processes have for their metrics, in ms. */
const withinMs = 4_000;

type Metrics = MetricObjectWithValues<MetricValue<string>>[];

interface Collection {
  missing: number;
  received: Metrics[];
  whole: (metrics: Metrics[]) => void;
}

/**
 * What the first of several processes answers about metrics: those of all that serve and its own alerts, as one. Counters are added up; a gauge says how several of it become one.
 * @param tell tells each process that serves; answers how many were told
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
          // Without one of them every counter would seem to begin anew.
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

/** In one of several: its metrics are told whenever the first process asks. @returns those of all of them */
export function shareMetrics(registry: Registry): () => Promise<string> {
  hearFirst<number>('metrics', async (number) => {
    await askFirst('metrics-of', { number, metrics: await registry.getMetricsAsJSON() }).catch(() => {});
  });
  return () => askFirst<string>('metrics', null, withinMs + 1_000);
}
