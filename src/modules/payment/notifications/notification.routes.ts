import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { notFound } from '../../../platform/errors.ts';
import { withZod } from '../../../platform/http/validators.ts';
import { networkOf } from '../../../platform/limits/network.ts';
import type { RequestLimit } from '../../../platform/limits/request-limit.ts';
import type { ModuleKernel } from '../../../platform/use-cases/kernel-access.ts';
import { providerSchema } from '../contract/provider.schemas.ts';
import type { PaymentProviders } from '../providers/provider.registry.ts';
import type { BackgroundWork } from '../settlement/background-work.ts';
import { followNotification, storeNotification } from './notification.service.ts';
import { takeRawBodies } from './raw-bodies.ts';
import type { StorageBounds } from './storage-bound.ts';

interface NotificationRoutesOptions {
  kernel: ModuleKernel;
  providers: PaymentProviders;
  background: BackgroundWork;
  limit: RequestLimit;
  bounds: StorageBounds;
}

const form = 'application/x-www-form-urlencoded';
/** Bytes of a notification that cost its sender one more point. Real notifications are small. */
const bytesPerPoint = 1024;

/**
 * Receives the providers' notifications: stores them (unless too many come unsigned), acknowledges, then verifies the payment. The
 * response contains no data.
 */
export const providerNotificationRoutes: FastifyPluginAsync<NotificationRoutesOptions> = async (instance, options) => {
  const { kernel, providers, background, limit, bounds } = options;
  const app = withZod(instance);
  takeRawBodies(instance);

  app.route({
    method: ['GET', 'POST'],
    url: '/payment/:provider/notification',
    config: { crossOrigin: true, anonymous: true, load: 'essential' },
    schema: { params: z.object({ provider: providerSchema }) },
    async handler(request, reply) {
      const notification = rawNotification(request);
      const network = networkOf(request.ip);
      await limit.consume(network, 1 + Math.floor(notification.body.length / bytesPerPoint));
      const provider = providers.get(request.params.provider);
      if (!provider) throw notFound();
      const stored = await storeNotification(request.em, request.context, provider, notification, { network, bounds });
      const arrived = performance.now();
      if (stored && stored.paymentId !== null && !stored.repeated) {
        const { id, paymentId, providerTransactionId } = stored;
        // A separate entity manager: the request's ends with the response.
        const { context } = request;
        background.add(() => followNotification(kernel.fork(), context, providers, { id, paymentId, arrived, providerTransactionId }));
      }
      return reply.header('cache-control', 'no-store').type('text/plain; charset=utf-8').send('OK');
    },
  });
};

/** Returns body and headers of a notification. The query of a GET is read like the body of a POST. */
function rawNotification({ method, url, body, raw: { headers } }: FastifyRequest) {
  if (method === 'GET') return { body: Buffer.from(url.split('?', 2)[1] ?? ''), headers: { ...headers, 'content-type': form } };
  return { body: Buffer.isBuffer(body) ? body : Buffer.alloc(0), headers };
}
