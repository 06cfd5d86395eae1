import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import type { ModuleKernel } from '../../platform/kernel-access.ts';
import type { RequestLimit } from '../../platform/request-limit.ts';
import type { BackgroundWork } from './background-work.ts';
import { findReturned } from './payment.repository.ts';
import { settlePayment } from './payment-settle.service.ts';
import { readPostedFields, readReference } from './providers/posted-fields.ts';
import type { PaymentProviders } from './providers.ts';
import { takeRawBodies } from './raw-bodies.ts';
import type { SettlementStatus } from './state-machine.ts';

interface ReturnPagesOptions {
  kernel: ModuleKernel;
  providers: PaymentProviders;
  background: BackgroundWork;
  limit: RequestLimit;
}

/** A browser does not wait longer for the provider; the verification goes on behind it. In ms. */
const patience = 4_000;
/** The fields that providers put our reference in. */
const referenceFields = ['ref', 'reference', 'trxref', 'notchpay_trxref'];

/**
 * /success and /cancel, where the provider sends the browser back, by GET or by a form posted across sites, without session or origin
 * check. Neither is believed: both ask the provider, then lead to the dashboard (design §4). A paid payment is a success on either.
 */
export const returnPages: FastifyPluginAsync<ReturnPagesOptions> = async (app, { kernel, providers, background, limit }) => {
  takeRawBodies(app);

  /** What the provider says within the patience; null when it has not said it by then. */
  function settleMeanwhile(request: FastifyRequest, paymentId: number): Promise<SettlementStatus | null> {
    const { context } = request;
    const settled = new Promise<SettlementStatus | null>((resolve) => {
      const accepted = background.add(async () => {
        try {
          resolve((await settlePayment(kernel.fork(), context, providers, paymentId, 'browser-return')).status);
        } finally {
          resolve(null);
        }
      });
      if (!accepted) resolve(null);
    });
    return Promise.race([settled, wait(patience, null, { ref: false })]);
  }

  for (const [url, said] of [
    ['/success', 'success'],
    ['/cancel', 'cancel'],
  ] as const) {
    app.route({
      method: ['GET', 'POST'],
      url,
      config: { crossOrigin: true, anonymous: true },
      async handler(request, reply) {
        await limit.consume(request.ip);
        const reference = await returnedReference(request);
        const payment = reference === null ? null : await findReturned(request.em, reference);
        const status = payment ? await settleMeanwhile(request, payment.id) : null;
        const query = new URLSearchParams({ payment_status: status === 'success' ? 'success' : said });
        if (payment?.prepa_id) query.set('prepa_id', String(payment.prepa_id));
        return reply.header('cache-control', 'no-store').redirect(`/user/dashboard?${query}`, 303);
      },
    });
  }
};

async function returnedReference({ body, headers, query }: FastifyRequest): Promise<string | null> {
  const posted = Buffer.isBuffer(body) ? await readPostedFields(body, headers['content-type']) : null;
  const asked = query as Record<string, unknown>;
  for (const field of referenceFields) {
    const reference = readReference(posted?.get(field)) ?? readReference(asked[field]);
    if (reference !== null) return reference;
  }
  return null;
}
