import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { networkOf } from '../../../platform/limits/network.ts';
import type { RequestLimit } from '../../../platform/limits/request-limit.ts';
import type { ModuleKernel } from '../../../platform/use-cases/kernel-access.ts';
import { readPostedFields, readReference } from '../contract/posted-fields.ts';
import { findReturned } from '../ledger/payment.repository.ts';
import type { SettlementStatus } from '../ledger/state-machine.ts';
import { takeRawBodies } from '../notifications/raw-bodies.ts';
import { returnFields } from '../providers/provider.definitions.ts';
import type { PaymentProviders } from '../providers/provider.registry.ts';
import type { BackgroundWork } from '../settlement/background-work.ts';
import { settlePayment } from '../settlement/settle.service.ts';
import { withinTimeout } from '../settlement/timeout.ts';

interface ProviderReturnsOptions {
  kernel: ModuleKernel;
  providers: PaymentProviders;
  background: BackgroundWork;
  limit: RequestLimit;
}

/**
 * The dashboard's message by the provider's answer. The address of the return does not matter: one provider has a single address for
 * all outcomes.
 */
const outcomes: Partial<Record<SettlementStatus, 'success' | 'cancel'>> = { success: 'success', failed: 'cancel' };

/**
 * Serves /success and /cancel, to which the provider sends the browser, by GET or by a form posted across sites, without session or
 * origin check.
 * Neither address is trusted: both ask the provider, then redirect to the dashboard (design §4). A paid payment is a success on both,
 * a failed one is cancelled on both.
 */
export const providerReturns: FastifyPluginAsync<ProviderReturnsOptions> = async (app, { kernel, providers, background, limit }) => {
  takeRawBodies(app);

  /** Asks the provider while the page waits. Returns null when it has not answered within the page's timeout. */
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
    return withinTimeout(settled);
  }

  for (const [url, said] of [
    ['/success', 'success'],
    ['/cancel', 'cancel'],
  ] as const) {
    app.route({
      method: ['GET', 'POST'],
      url,
      config: { crossOrigin: true, anonymous: true, load: 'essential' },
      async handler(request, reply) {
        await limit.consume(networkOf(request.ip));
        const references = await returnedReferences(request);
        const payment = references.length === 0 ? null : await findReturned(request.em, references);
        const status = payment ? await settleMeanwhile(request, payment.id) : null;
        const query = new URLSearchParams({ payment_status: status === null ? said : (outcomes[status] ?? said) });
        if (payment?.prepaId) query.set('prepa_id', String(payment.prepaId));
        return reply.header('cache-control', 'no-store').redirect(`/user/dashboard?${query}`, 303);
      },
    });
  }
};

/** Returns all possible references, at most two per field: a field with the provider's may precede the one with ours. */
async function returnedReferences({ body, headers, query }: FastifyRequest): Promise<string[]> {
  const posted = Buffer.isBuffer(body) ? await readPostedFields(body, headers['content-type']) : null;
  const asked = query as Record<string, unknown>;
  const values = returnFields.flatMap((field) => [posted?.get(field), asked[field]]);
  return [...new Set(values.map(readReference).filter((reference) => reference !== null))];
}
