import { createHash, timingSafeEqual } from 'node:crypto';
import fp from 'fastify-plugin';
import { collectDefaultMetrics, type Metric, Registry } from 'prom-client';
import { bearerToken } from '../http/bearer.ts';
import { isOneOfSeveral } from '../processes/first-process.ts';
import { type PlatformParts, platformMetrics } from './platform-metrics.ts';
import { requestMetrics } from './request-metrics.ts';
import { shareMetrics } from './shared-metrics.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Adds metrics to `/metrics`. Without METRICS_TOKEN they are never read. */
    exposeMetrics(...metrics: Metric[]): void;
  }
}

/** Serves `/metrics` in the Prometheus text format to requests with METRICS_TOKEN as bearer token; 404 without the setting. */
export const metrics = fp<{ token: string | null; parts: PlatformParts }>(
  async (app, { token, parts }) => {
    const registry = new Registry();
    app.decorate('exposeMetrics', (...added: Metric[]) => {
      for (const metric of added) registry.registerMetric(metric);
    });
    if (token === null) return;

    collectDefaultMetrics({ register: registry });
    app.exposeMetrics(...(await platformMetrics(parts)));
    await app.register(requestMetrics);
    const read = isOneOfSeveral() ? shareMetrics(registry) : () => registry.metrics();
    const expected = digest(token);
    app.get('/metrics', { config: { quiet: true, anonymous: true, load: 'essential' } }, async (request, reply) => {
      if (!timingSafeEqual(digest(bearerToken(request) ?? ''), expected)) return reply.callNotFound();
      return reply
        .header('cache-control', 'no-store')
        .type(registry.contentType)
        .send(await read());
    });
  },
  { name: 'metrics' },
);

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
