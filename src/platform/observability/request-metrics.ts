import fp from 'fastify-plugin';
import { Histogram } from 'prom-client';

/** In seconds: what nobody notices, what a page may take, what somebody waits for, what is broken. Few, since each is a series of every route and status. */
const buckets = [0.025, 0.1, 0.25, 1, 2.5, 10];

/** Times what is answered, by route and status. What is refused for the load is counted elsewhere: its answer costs nothing, and would hide how long others take. */
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
      // The pattern, never the address: strangers choose those.
      const { method, routeOptions } = request;
      const route = routeOptions.url ?? 'none';
      duration.observe({ method, route, status: reply.statusCode }, reply.elapsedTime / 1000);
    });
  },
  { name: 'request-metrics' },
);
