import fp from 'fastify-plugin';
import { Histogram } from 'prom-client';

/** Bucket limits in seconds: unnoticed, normal for a page, noticeable, broken. Few, since each is one series per route and status. */
const buckets = [0.025, 0.1, 0.25, 1, 2.5, 10];

/** Measures responses by route and status. Requests refused under overload are counted elsewhere: their short times would distort these. */
export const requestMetrics = fp(
  async (app) => {
    const duration = new Histogram({
      name: 'prepa_http_request_duration_seconds',
      help: 'Time until an answer was sent, by route and status',
      labelNames: ['method', 'route', 'status'] as const,
      buckets,
      registers: [],
    });
    app.exposeMetrics(duration);
    app.addHook('onResponse', (request, reply, done) => {
      done();
      if (request.shed) return;
      // The route's pattern, never the address: strangers choose addresses.
      const { method, routeOptions } = request;
      const route = routeOptions.url ?? 'none';
      duration.observe({ method, route, status: reply.statusCode }, reply.elapsedTime / 1000);
    });
  },
  { name: 'request-metrics' },
);
