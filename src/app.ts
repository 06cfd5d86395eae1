import { randomUUID } from 'node:crypto';
import { constants } from 'node:zlib';
import compress from '@fastify/compress';
import cookie from '@fastify/cookie';
import formbody from '@fastify/formbody';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { createIslandRenderer } from '../islands/render.tsx';
import type { Kernel } from './kernel.ts';
import { modules } from './modules.ts';
import { administrationHost } from './platform/http/administration-host.ts';
import { background } from './platform/http/afterwards.ts';
import { apiDescription, apiDocumentation } from './platform/http/api-description.ts';
import { errorHandler } from './platform/http/error-handler.ts';
import { forwarded } from './platform/http/forwarded.ts';
import {
  connectionsCheckingIntervalMs,
  headersTimeoutMs,
  keepAliveTimeoutMs,
  requestTimeoutMs,
  silentConnectionMs,
} from './platform/http/request-times.ts';
import { routeTable } from './platform/http/route-table.ts';
import { security } from './platform/http/security.ts';
import { securityContact } from './platform/http/security-contact.ts';
import { sharedCaches } from './platform/http/shared-caches.ts';
import { refuseUnreadable } from './platform/http/unreadable-request.ts';
import { maintenance } from './platform/maintenance/maintenance.ts';
import { health } from './platform/observability/health.ts';
import { requestLogOf } from './platform/observability/log.ts';
import { metrics } from './platform/observability/metrics.ts';
import { replicaReads } from './platform/observability/replica-reads.ts';
import { requestLog } from './platform/observability/request-log.ts';
import { overload } from './platform/overload/overload.ts';
import { pipelinedRequests } from './platform/overload/pipelined-requests.ts';
import { slowRequests } from './platform/overload/slow-requests.ts';
import { type Assets, assetFiles, loadAssets } from './platform/pages/assets.ts';
import { flash } from './platform/pages/flash.ts';
import { islands } from './platform/pages/islands.ts';
import { pageCache } from './platform/pages/page-cache.ts';
import { pageEtag } from './platform/pages/page-etag.ts';
import { styleSheets } from './platform/pages/style-sheets.ts';
import { views } from './platform/pages/views.ts';
import { kernelAccess } from './platform/use-cases/kernel-access.ts';

/** Largest body in bytes; larger ones are refused before they are read. Routes with files set their own limit. */
const bodyLimit = 64 * 1024;

/**
 * Builds the HTTP application. Order of registration: hooks for every response, then routes without session, then the modules in their
 * order. It does not listen.
 */
export async function buildApp(kernel: Kernel, { assets = loadAssets() }: { assets?: Assets } = {}): Promise<FastifyInstance> {
  const { config } = kernel;
  const app = Fastify({
    loggerInstance: kernel.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: requestLogOf,
    genReqId: () => randomUUID(),
    trustProxy: config.trustProxy,
    bodyLimit,
    // Slow clients must not hold sockets without limit, but a picture of 2 MB may take long on a mobile network (slow-requests.ts is
    // stricter).
    requestTimeout: requestTimeoutMs,
    http: { headersTimeout: headersTimeoutMs, connectionsCheckingInterval: connectionsCheckingIntervalMs },
    connectionTimeout: silentConnectionMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    clientErrorHandler: refuseUnreadable,
    // Called for addresses that cannot be decoded or have a parameter that is too long. This reply cannot render a page, so the
    // request is routed again, to an address that does not exist, and gets the normal 404.
    frameworkErrors: (_error, { raw }, reply) => {
      const [area = ''] = /^\/(?:api\/)?(?:admin\/)?/.exec(raw.url ?? '') ?? [];
      Object.assign(raw, { originalUrl: raw.url, url: `${area || '/'}introuvable` });
      app.routing(raw, reply.raw);
    },
    routerOptions: { maxParamLength: 200 },
  });

  acceptEmptyJson(app);
  await app.register(routeTable);
  await app.register(apiDescription, { config });
  await app.register(pipelinedRequests);
  await app.register(requestLog);
  await app.register(security, { config, providerOrigins: kernel.providers.browserOrigins(), development: assets.folder === null });
  await app.register(forwarded, { config, fork: kernel.fork });
  await app.register(administrationHost, { config });
  // Before all costly hooks: a refused response needs only the security headers.
  await app.register(maintenance, { config, assets, clock: kernel.clock, fork: kernel.fork });
  await app.register(slowRequests);
  await app.register(overload, { config, orm: kernel.orm, assets });
  await app.register(cookie);
  await app.register(sharedCaches, { strict: config.environment !== 'production' });
  await app.register(formbody, { bodyLimit });
  await app.register(flash);
  await app.register(styleSheets, { assets });
  await app.register(views, { config, assets });
  await app.register(pageCache, { assets });
  await app.register(islands, { render: await createIslandRenderer() });
  await app.register(errorHandler);
  await app.register(kernelAccess, { kernel });
  await app.register(background);
  if (kernel.replicas) await app.register(replicaReads, { replicas: kernel.replicas });

  // Public routes must be marked anonymous: the identity module's hook also runs for routes registered before it.
  await app.register(assetFiles, { assets, dataDir: config.dataDir, media: kernel.context.files });
  await app.register(health, { orm: kernel.orm });
  await app.register(securityContact, { config, clock: kernel.clock });
  await app.register(metrics, { token: config.metricsToken, parts: kernel });

  await app.register(pageEtag);
  await app.register(compress, {
    threshold: 1024,
    encodings: ['br', 'gzip'],
    // A window of 256 KB instead of 4 MB: pages are smaller, and an export would hold 4 MB until its reader has finished.
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 18 } },
  });
  // The order matters: each module may use decorators and hooks that earlier modules have added.
  for (const { plugin } of modules) await app.register(plugin, { kernel, assets });
  await app.register(apiDocumentation);
  return app;
}

/** Accepts an empty body with a JSON content type (specification §7: payload 'empty'). */
function acceptEmptyJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined);
    else parse(request, String(body), done);
  });
}
