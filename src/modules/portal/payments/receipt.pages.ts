import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { withZod } from '../../../platform/http/validators.ts';
import { findOwnPayment, type PaymentKernel, paymentNotFound } from '../../payment/index.ts';
import { presentOwnPayments, presentReceipt, verificationMessage } from './receipt.presenter.ts';
import { findReceipt, listOwnPayments } from './receipt.repository.ts';
import { settleWithTimeout } from './settlement.ts';

const basePath = '/user/paiements';

const reference = z.string().regex(/^[A-Za-z0-9_-]{1,84}$/, 'Référence de paiement invalide');
const params = z.object({ reference });
/** The reference after which the page begins. Invalid values are ignored. */
const query = z.object({ avant: reference.optional().catch(undefined) });

declare module '../../../platform/pages/views.ts' {
  interface PageLocals {
    'portal/payments': {
      /** Newest first. */
      payments: ReturnType<typeof presentOwnPayments>;
      /** Reference after which the page begins; null: the newest payments. */
      avant: string | null;
      /** Address of the next page; null on the last one. */
      older: string | null;
      /** Shown in place of a list that could not be read. */
      error: string | null;
    };
    'portal/receipt': { receipt: ReturnType<typeof presentReceipt> };
  }
}

/** Serves 'Mes paiements', and the receipt of each paid payment. */
export async function receiptPages(instance: FastifyInstance, { kernel }: { kernel: PaymentKernel }): Promise<void> {
  const app = withZod(instance);
  const { providers } = kernel;
  const guarded = { preHandler: [app.requireLearner] };

  app.get(basePath, { ...guarded, schema: { querystring: query } }, async (request, reply) => {
    const learner = request.signedInLearner;
    const { avant } = request.query;
    const page = await listOwnPayments(request.em, learner.id, avant ?? null).catch((error: unknown) => {
      request.log.error({ err: error }, 'payments could not be read');
      return null;
    });
    // No older payments, or a reference that is not the learner's.
    if (page && avant && page.payments.length === 0) return reply.redirect(basePath, 303);
    const now = request.context.clock.now();
    const rows = page?.payments ?? [];
    return reply.page('portal/payments', {
      title: 'Mes paiements',
      noindex: true,
      learnerCss: true,
      payments: presentOwnPayments(rows, providers, now),
      avant: avant ?? null,
      older: page?.more ? `${basePath}?avant=${rows.at(-1)?.reference}` : null,
      error: page ? null : 'Erreur lors du chargement de vos paiements',
    });
  });

  app.get(`${basePath}/:reference`, { ...guarded, schema: { params } }, async (request, reply) => {
    const learner = request.signedInLearner;
    const row = await findReceipt(request.em, learner.id, request.params.reference);
    if (!row) throw paymentNotFound();
    return reply.page('portal/receipt', {
      title: `Reçu ${row.reference}`,
      noindex: true,
      learnerCss: true,
      receipt: presentReceipt(row, providers, learner),
    });
  });

  app.post(`${basePath}/:reference/verifier`, { ...guarded, schema: { params, querystring: query } }, async (request, reply) => {
    const learner = request.signedInLearner;
    await app.verificationLimit.consume(learner.id);
    const id = await findOwnPayment(request.em, learner.id, request.params.reference);
    if (id === null) throw paymentNotFound();
    const settlement = await settleWithTimeout(kernel, request, id);
    const { avant } = request.query;
    return reply
      .flash(...verificationMessage(settlement?.payment.status ?? null, settlement?.answer !== 'unknown'))
      .redirect(avant ? `${basePath}?avant=${avant}` : basePath, 303);
  });
}
