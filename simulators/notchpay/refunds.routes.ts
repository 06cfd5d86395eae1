import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { SimulatorError } from '../platform/errors.ts';
import type { Lifecycle } from './lifecycle.ts';
import { refuse } from './payments.routes.ts';
import type { Payments } from './payments.ts';

export interface RefundOptions {
  payments: Payments;
  lifecycle: Lifecycle;
  publicKey: string;
  privateKey: string;
}

/** Integrators send the amount as a number or as text. */
const refundRequestSchema = z.object({ payment: z.string().min(1).max(100), amount: z.coerce.number().int().min(1).optional() });

/** `POST /refunds` (payment-providers.md §4): refunds everything if no amount is given. Errors and response format are unconfirmed. */
export function refundRoutes(app: FastifyInstance, { payments, lifecycle, publicKey, privateKey }: RefundOptions, done: () => void): void {
  app.post('/refunds', (request, reply) => {
    const { headers } = request;
    if (headers.authorization !== publicKey) return refuse(reply, 401);
    // Older pages call the header `X-Auth`.
    if ((headers['x-grant'] ?? headers['x-auth']) !== privateKey) return refuse(reply, 403);
    const read = refundRequestSchema.safeParse(request.body);
    if (!read.success) return refuse(reply, 422, { errors: z.flattenError(read.error).fieldErrors });
    const payment = payments.find(read.data.payment);
    if (!payment) return refuse(reply, 404);
    const before = payment.paid;
    try {
      lifecycle.refund(payment, read.data.amount);
    } catch (error) {
      if (error instanceof SimulatorError && error.statusCode === 409) return refuse(reply, 422, { errors: { amount: [error.message] } });
      throw error;
    }
    const refund = {
      id: `rfd.sim_${randomUUID()}`,
      payment: payment.transactionReference,
      amount: before - payment.paid,
      status: 'complete',
    };
    return reply.code(201).send({ status: 'Accepted', code: 201, message: 'Refund initialized', refund });
  });
  done();
}
