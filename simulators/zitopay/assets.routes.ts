import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';

const ASSETS = [
  { url: '/assets/js/payment.js', file: 'payment.js', type: 'text/javascript; charset=utf-8' },
  { url: '/assets/js/checkout.js', file: 'checkout.js', type: 'text/javascript; charset=utf-8' },
];

/** Serves the scripts. The files are read once, at the start. */
export function assetRoutes(app: FastifyInstance, _options: object, done: () => void): void {
  for (const { url, file, type } of ASSETS) {
    const content = readFileSync(join(import.meta.dirname, 'assets', file));
    // The widget is loaded from other origins, also by cross-origin isolated pages.
    app.get(url, (_request, reply) =>
      reply.type(type).header('cache-control', 'no-cache').header('cross-origin-resource-policy', 'cross-origin').send(content),
    );
  }
  done();
}
